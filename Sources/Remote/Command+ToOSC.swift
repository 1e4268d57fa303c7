import OSC
import Speakers
import Timeline

extension Command {
    /// A point's value as its control has it.
    private func value(_ value: Double, of control: Control) -> OSCArgument {
        control.entry.kind == .flag ? .bool(value == 1) : number(value)
    }

    /// To tracks, buses and the master.
    private static func ofAll(_ path: String) -> [OSCMessage] {
        ["/track/*", "/bus/*", "/master"].map { OSCMessage("\($0)/\(path)") }
    }

    /// The messages that ask this of a mixer.
    public var messages: [OSCMessage] {
        switch self {
        case .ask(.track(.pattern("*")), .meter): Self.ofAll("meter")
        case .ask(let strip, let control): [strip.message(control.path)]
        case .set(let strip, let control, let value): [strip.message(control.path, value.exactArguments)]
        case .fade(let strip, let control, let volume, let time, let curve):
            [
                strip.message(
                    word("fade", of: control), number(volume), argument(time), .string(curve.rawValue))
            ]
        case .fadeBy(let strip, let control, let step, let time, let curve):
            [
                strip.message(
                    word("fade/by", of: control), step.argument(of: control.entry.kind), argument(time),
                    .string(curve.rawValue))
            ]
        case .nudge(let strip, let control, let step):
            [strip.message("\(control.path)/by", step.argument(of: control.entry.kind))]
        case .point(let strip, let control, let value, let time, let replace):
            [
                strip.message(
                    control.path, self.value(value, of: control), argument(time), replace ? .bool(true) : nil)
            ]
        case .ramp(let strip, let control, let first, let last, let start, let end, let curve, let replace):
            [
                strip.message(
                    word("ramp", of: control), number(first), number(last), argument(start), argument(end),
                    .string(curve.rawValue), replace ? .bool(true) : nil)
            ]
        case .automation(let strip, let control): [strip.message(word("automation", of: control))]
        case .clearAutomation(let strip, let control, let start, let end):
            [strip.message(word("automation/clear", of: control), start.map(argument), end.map(argument))]
        case .removeEvent(let strip, let control, let number):
            [strip.message(word("automation/remove", of: control), .int32(Int32(clamping: number)))]
        case .moveEvent(let strip, let control, let number, let time, let replace):
            [
                strip.message(
                    word("automation/move", of: control), .int32(Int32(clamping: number)), argument(time),
                    replace ? .bool(true) : nil)
            ]
        case .duck(let track, let under, let volume, let attack, let release):
            // The release stands after the attack, so it brings the attack along.
            [
                OSCMessage(
                    "/duck",
                    [
                        .string(track.text), .string(under.text), number(volume),
                        (attack ?? release.map { _ in .time(Duck.defaultTime) }).map(argument),
                        release.map(argument),
                    ].compactMap { $0 })
            ]
        case .duckBySignal(let track, let under, let volume, let words):
            [
                OSCMessage(
                    "/duck", [.string(track.text), .string(under.text), number(volume)] + words.arguments)
            ]
        case .duckByHand(let track, let volume, let attack, let release):
            [
                OSCMessage(
                    "/duck",
                    [
                        .string(track.text), .string("hand"), number(volume),
                        (attack ?? release.map { _ in .time(Duck.defaultTime) }).map(argument),
                        release.map(argument),
                    ].compactMap { $0 })
            ]
        case .buses: [OSCMessage("/buses")]
        case .addBus(let name, let layout):
            [
                OSCMessage(
                    "/bus/add", [.string(name)] + (layout == .stereo ? [] : [.int32(Int32(layout.channels))]))
            ]
        case .sends(let strip): [strip.message("sends")]
        case .send(let strip, let bus, let settings):
            [strip.message("send/\(bus.text)", settings.flatMap(\.arguments))]
        case .removeSend(let strip, let bus): [strip.message("send/\(bus.text)/remove")]
        case .askEqualiser(let strip): [strip.message("eq")]
        case .equalise(let strip, .clear): [strip.message("eq", .string("clear"))]
        case .equalise(let strip, .set(let settings)):
            [strip.message("eq", settings.flatMap { [.string($0.control.path)] + $0.value.exactArguments })]
        case .askLoudness(let strip): [strip.message("loudness")]
        case .resetLoudness(let strip): [strip.message("loudness/reset")]
        case .askLoudnessRange(let strip): [strip.message("loudness/range")]
        case .askSpectrum(let strip): [strip.message("spectrum")]
        case .askPeak(.track(.pattern("*"))): Self.ofAll("peak")
        case .askPeak(let strip): [strip.message("peak")]
        case .resetPeak(.track(.pattern("*"))): Self.ofAll("peak/reset")
        case .resetPeak(let strip): [strip.message("peak/reset")]
        case .askDynamics(let strip, let kind): [strip.message(kind.rawValue)]
        case .setDynamics(let strip, let kind, .clear): [strip.message(kind.rawValue, .string("clear"))]
        case .setDynamics(let strip, let kind, .set(let settings)):
            [
                strip.message(
                    kind.rawValue, settings.flatMap { [.string($0.control.word)] + $0.value.exactArguments })
            ]
        case .dcas: [OSCMessage("/dcas")]
        case .addInput(let name, let ports): [OSCMessage("/input/add", [.string(name)] + ports.arguments)]
        case .askInput(let track): [track.message("input")]
        case .input(let track, let ports): [track.message("input", ports?.arguments ?? [.string("off")])]
        case .record(nil): [OSCMessage("/record")]
        case .record(.off?): [OSCMessage("/record", .bool(false))]
        case .record(.on?): [OSCMessage("/record", .bool(true))]
        case .record(.range(let start, let end)?): [OSCMessage("/record", argument(start), argument(end))]
        case .record(.loop?): [OSCMessage("/record", .string("loop"))]
        case .soloMode(let mode): [OSCMessage("/solomode", mode.map { [.string($0.rawValue)] } ?? [])]
        case .directOuts(let mode): [OSCMessage("/directouts", mode.map { [.string($0.rawValue)] } ?? [])]
        case .muteGroups: [OSCMessage("/mutegroups")]
        case .ducks: [OSCMessage("/ducks")]
        case .muteGroup(let name, .turn(let flag)): [OSCMessage("/mutegroup", .string(name), .bool(flag))]
        case .muteGroup(let name, .members(let strips)):
            [OSCMessage("/mutegroup/members", [.string(name)] + strips.map { .string($0.text) })]
        case .muteGroup(let name, .remove): [OSCMessage("/mutegroup/remove", .string(name))]
        case .askAutomix(let bus): [bus.message("automix")]
        case .clearAutomix(let bus): [bus.message("automix", .string("clear"))]
        case .automix(let bus, let member, let settings):
            [
                bus.message(
                    member == nil ? "automix" : "automix/member",
                    (member.map { [.string($0.text)] } ?? [])
                        + settings.flatMap { [.string($0.control.rawValue)] + $0.value.exactArguments })
            ]
        case .monitoring(let control, let value): [OSCMessage(control.address, value?.exactArguments ?? [])]
        case .nudgeMonitor(let control, let step):
            [OSCMessage("\(control.address)/by", [step.argument(of: control.kind)])]
        case .soundcheck(let flag): [OSCMessage("/soundcheck", flag.map { [.bool($0)] } ?? [])]
        case .addDCA(let name, let members):
            [OSCMessage("/dca/add", [.string(name)] + members.map { .string($0.text) })]
        case .assign(let dca, let strips, let isMember):
            [dca.message(isMember ? "assign" : "unassign", strips.map { .string($0.text) })]
        case .add(let file, let place):
            [OSCMessage("/track/add", [.string(file), place.map(argument)].compactMap { $0 })]
        case .insert(let track, let file, let place, let from, let duration, let push, let crossfade):
            [
                track.message(
                    "insert",
                    [.string(file), argument(place)] + stretch(from, duration) + words(crossfade)
                        + (push ? [.bool(true)] : []))
            ]
        case .clips(let track, .list): [track.message("clips")]
        case .clips(let track, .append(let file, let from, let duration, let crossfade)):
            [track.message("append", [.string(file)] + stretch(from, duration) + words(crossfade))]
        case .clips(let track, .playlist(let files, let crossfade)):
            [track.message("playlist", files.map { .string($0) } + words(crossfade))]
        case .clips(let track, .remove(let clip)):
            [track.message("clip/remove", .int32(Int32(clamping: clip)))]
        case .clips(let track, .trim(let clip, let start, let end)):
            [track.message("clip/trim", .int32(Int32(clamping: clip)), argument(start), argument(end))]
        case .clips(let track, .gain(let clip, let gain)):
            [track.message("clip/gain", .int32(Int32(clamping: clip)), number(gain))]
        case .clips(let track, .pace(let clip, let pace, let value)):
            [track.message("clip/\(pace.rawValue)", [.int32(Int32(clamping: clip))] + value.exactArguments)]
        case .clips(let track, .step(let clip, let number, let step)):
            [
                track.message(
                    "clip/\(number.rawValue)/by", .int32(Int32(clamping: clip)),
                    step.argument(of: number.kind))
            ]
        case .clips(let track, .fade(let clip, let edge, let time, let curve)):
            [
                track.message(
                    "clip/\(edge.rawValue)", .int32(Int32(clamping: clip)), argument(time),
                    .string(curve.rawValue))
            ]
        case .clips(let track, .split(let place)): [track.message("split", argument(place))]
        case .clips(let track, .move(let clip, let place, let push, let crossfade)):
            [
                track.message(
                    "move",
                    [.int32(Int32(clamping: clip)), argument(place)] + words(crossfade)
                        + (push ? [.bool(true)] : []))
            ]
        case .clips(let track, .silence(let time, let duration)):
            [track.message("silence", argument(time), argument(duration))]
        case .clips(let track, .removeRange(let start, let end, let keepsGap, let keepsAutomation)):
            [
                track.message(
                    "removerange", argument(start), argument(end), keepsGap ? .bool(true) : nil,
                    keepsAutomation ? .string("automation") : nil)
            ]
        case .clips(let track, .stripSilence(let strip)):
            [
                track.message(
                    "stripsilence", number(strip.threshold), argument(strip.minimum), argument(strip.pad),
                    strip.closes ? .string("close") : nil)
            ]
        case .remove(let track): [track.message("remove")]
        case .play: [OSCMessage("/transport/play")]
        case .stop(let time): [OSCMessage("/transport/stop", time.map { [written($0)] } ?? [])]
        case .silenced(let flag): [OSCMessage("/silenced", flag.map { [.bool($0)] } ?? [])]
        case .panic(let time): [OSCMessage("/panic", time.map { [written($0)] } ?? [])]
        case .locate(let place): [OSCMessage("/transport/locate", argument(place))]
        case .loop(let start, let end): [OSCMessage("/transport/loop", argument(start), argument(end))]
        case .loopOn: [OSCMessage("/transport/loop", .bool(true))]
        case .loopOff: [OSCMessage("/transport/loop", .bool(false))]
        case .askLoop: [OSCMessage("/transport/loop")]
        case .stopAtEnd(let flag): [OSCMessage("/transport/stopatend", flag.map { [.bool($0)] } ?? [])]
        case .midi(let command): [command.message]
        case .quit: [OSCMessage("/quit", .string("now"))]
        case .connections: [OSCMessage("/connections")]
        case .ports: [OSCMessage("/ports")]
        case .connect(let port, let other): [OSCMessage("/connect", .string(port), .string(other))]
        case .disconnect(let port, let other):
            [OSCMessage("/disconnect", [.string(port)] + (other.map { [.string($0)] } ?? []))]
        case .position: [OSCMessage("/transport/position"), OSCMessage("/transport/state")]
        case .state: [OSCMessage("/transport/state")]
        case .tracks: [OSCMessage("/tracks")]
        case .status: [OSCMessage("/status")]
        case .version: [OSCMessage("/version")]
        case .save(let name): [OSCMessage("/session/save", [name.map(OSCArgument.string)].compactMap { $0 })]
        case .load(let name): [OSCMessage("/session/load", .string(name))]
        case .sessions: [OSCMessage("/sessions")]
        case .new: [OSCMessage("/session/new")]
        case .collect(let folder):
            [OSCMessage("/session/collect", [folder.map(OSCArgument.string)].compactMap { $0 })]
        case .missing: [OSCMessage("/session/missing")]
        case .video(.ask): [OSCMessage("/session/video")]
        case .video(.remove): [OSCMessage("/session/video", .string("off"))]
        case .video(.set(let file, let at, let from)):
            [
                OSCMessage(
                    "/session/video",
                    [.string(file)] + [at.map(argument)].compactMap { $0 }
                        + (from.map { [.string("from"), argument($0)] } ?? []))
            ]
        case .relink(let file, let other): [OSCMessage("/session/relink", .string(file), .string(other))]
        case .undo: [OSCMessage("/session/undo")]
        case .redo: [OSCMessage("/session/redo")]
        case .history: [OSCMessage("/session/history")]
        case .edition: [OSCMessage("/session/edition")]
        case .subscribe(let pattern, let rate):
            [OSCMessage("/subscribe", .string(pattern), .int32(Int32(rate)))]
        case .unsubscribe(let pattern):
            [OSCMessage("/unsubscribe", [pattern.map(OSCArgument.string)].compactMap { $0 })]
        case .nothing, .wait: []
        case .waitUntil: [OSCMessage("/transport/position")]
        case .scene(.list): [OSCMessage("/scenes")]
        case .scene(.store(let name)): [OSCMessage("/scene/store", .string(name))]
        case .scene(.recall(let name, let time, let parts, let strips)):
            [
                OSCMessage(
                    "/scene/recall",
                    [.string(name), time.map(argument)].compactMap { $0 }
                        + (parts.map {
                            [
                                .string("only"),
                                .string(
                                    ScenePart.allCases.filter($0.contains).map(\.rawValue).joined(
                                        separator: ",")),
                            ]
                        } ?? [])
                        + (strips.map { [.string("strips"), .string($0.map(\.text).joined(separator: ","))] }
                            ?? []))
            ]
        case .scene(.remove(let name)): [OSCMessage("/scene/remove", .string(name))]
        case .marker(.list): [OSCMessage("/markers")]
        case .marker(.add(let name, let time)):
            [OSCMessage("/marker/add", [.string(name), time.map(argument)].compactMap { $0 })]
        case .marker(.remove(let name)): [OSCMessage("/marker/remove", .string(name))]
        case .clear: [OSCMessage("/clear")]
        case .help(let address): [OSCMessage("/help", [address.map(OSCArgument.string)].compactMap { $0 })]
        case .miniMix(.count): [OSCMessage("/mixer/get_channel_count")]
        case .miniMix(.gain(let channel, nil)):
            [OSCMessage("/mixer/channel/get_gain", .int32(Int32(clamping: channel)))]
        case .miniMix(.gain(let channel, let level?)):
            [OSCMessage("/mixer/channel/set_gain", .int32(Int32(clamping: channel)), number(level))]
        case .miniMix(.label(let channel, nil)):
            [OSCMessage("/mixer/channel/get_label", .int32(Int32(clamping: channel)))]
        case .miniMix(.label(let channel, let label?)):
            [OSCMessage("/mixer/channel/set_label", .int32(Int32(clamping: channel)), .string(label))]
        case .ping(let number): [OSCMessage("/ping", [number.map(OSCArgument.int32)].compactMap { $0 })]
        }
    }
}

/// What moves a control: `pan/ramp`; of the volume the short name, `ramp`.
private func word(_ name: String, of control: Control) -> String {
    control == .volume ? name : "\(control.path)/\(name)"
}

private func number(_ value: Double) -> OSCArgument { ControlValue.number(value).exactArguments[0] }

/// Where a number would be a switch.
private func written(_ time: TimeSpec) -> OSCArgument {
    if case .seconds(let seconds) = time { .string("\(seconds)s") } else { argument(time) }
}

/// Which part of a file: how long it is stands behind where it begins.
private func stretch(_ from: TimeSpec?, _ duration: TimeSpec?) -> [OSCArgument] {
    [from ?? duration.map { _ in .time(.zero) }, duration].compactMap { $0.map(argument) }
}

private func words(_ crossfade: Crossfade?) -> [OSCArgument] {
    crossfade.map { [.string("crossfade"), argument($0.duration), .string($0.curve.rawValue)] } ?? []
}

/// As a person writes it.
private func text(_ time: TimeSpec) -> String {
    switch time {
    case .time(let time): "\(time)"
    case .frames(let frames): "\(frames)f"
    case .seconds(let seconds): "\(seconds)s"
    }
}

func argument(_ time: TimeSpec) -> OSCArgument { ControlValue.time(time).exactArguments[0] }

private func argument(_ place: Place) -> OSCArgument {
    switch place {
    case .time(let time): argument(time)
    case .here: .string("here")
    case .later(let time): .string("+\(text(time))")
    case .earlier(let time): .string("-\(text(time))")
    case .end: .string("end")
    case .marker(let name): .string(name)
    }
}

extension InputPorts {
    fileprivate var arguments: [OSCArgument] {
        [.string(SpeakerLayout(rawValue: channels)?.name ?? "mono")] + connect.map { .string($0) }
    }
}

extension StripReference {
    func message(_ name: String, _ arguments: OSCArgument?...) -> OSCMessage {
        message(name, arguments.compactMap { $0 })
    }

    func message(_ name: String, _ arguments: [OSCArgument]) -> OSCMessage {
        OSCMessage("\(address)/\(name)", arguments)
    }
}
