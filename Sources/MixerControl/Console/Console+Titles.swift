import Files
import Remote
import Timeline

extension Console {
    /// What a command does, in words for the history: "ramp on music 2s-4s".
    func title(of command: Command) -> String {
        timelineTitle(command) ?? deskTitle(command) ?? sessionTitle(command) ?? "change"
    }

    private func timelineTitle(_ command: Command) -> String? {
        switch command {
        case .fade(let strip, .volume, let volume, _, _):
            "fade of \(name(strip)) to \(Readable.level(gain: volume))"
        case .fade(let strip, let control, let value, _, _):
            "fade of \(what(control))\(name(strip)) to \(value)"
        case .fadeBy(let strip, let control, let step, _, _):
            "fade of \(what(control))\(name(strip)): \(Readable.step(step))"
        case .point(let strip, let control, _, let time, _):
            "point on \(what(control))\(name(strip)) at \(text(time))"
        case .ramp(let strip, let control, _, _, let start, let end, _, _):
            "ramp on \(what(control))\(name(strip)) \(text(start))-\(text(end))"
        case .clearAutomation(let strip, let control, let start?, let end?):
            "clear automation of \(what(control))\(name(strip)) \(text(start))-\(text(end))"
        case .clearAutomation(let strip, let control, _, _):
            "clear automation of \(what(control))\(name(strip))"
        case .duck(let track, let under, _, _, _): "duck \(name(track)) under \(name(under))"
        case .duckByHand(let track, _, _, _): "duck \(name(track)) by hand"
        case .duckBySignal(let track, let under, _, _): "duck \(name(track)) under \(name(under)) by signal"
        case .removeEvent(let strip, let control, _): "remove event on \(what(control))\(name(strip))"
        case .moveEvent(let strip, let control, _, let time, _):
            "move event on \(what(control))\(name(strip)) to \(text(time))"
        case .clips(let track, let command): clipTitle(name(track), command)
        default: nil
        }
    }

    private func clipTitle(_ track: String, _ command: ClipCommand) -> String? {
        switch command {
        case .append(let file, _, _, _): "append \(Path.stem(of: file)) on \(track)"
        case .playlist(let files, _):
            "append \(files.count) \(files.count == 1 ? "file" : "files") on \(track)"
        case .remove(let number): "remove clip \(number) of \(track)"
        case .trim(let number, let start, let end):
            "trim clip \(number) of \(track) to \(text(start))-\(text(end))"
        case .gain(let number, _): "gain of clip \(number) of \(track)"
        case .pace(let number, let pace, _):
            "\(pace.rawValue) of clip \(number) of \(track)"
        case .step(let number, let what, _): "\(what.rawValue) of clip \(number) of \(track)"
        case .fade(let number, let edge, _, _):
            "\(edge == .fadeIn ? "fade-in" : "fade-out") of clip \(number) of \(track)"
        case .stripSilence: "strip silence of \(track)"
        case .split(let place): "split \(track) at \(text(place))"
        case .move(let number, .later(let time), _, _):
            "move clip \(number) of \(track) by \(text(time))"
        case .move(let number, .earlier(let time), _, _):
            "move clip \(number) of \(track) by -\(text(time))"
        case .move(let number, let place, _, _):
            "move clip \(number) of \(track) to \(text(place))"
        case .silence(let time, let duration):
            "silence on \(track) at \(text(time)), \(text(duration))"
        case .removeRange(let start, let end, _, _):
            "remove \(text(start))-\(text(end)) of \(track)"
        default: nil
        }
    }

    private func deskTitle(_ command: Command) -> String? {
        switch command {
        case .addBus(let name, _): "add bus \(name)"
        case .addInput(let name, _): "add input \(name)"
        case .input(let track, let ports): "\(ports == nil ? "remove input" : "input") of \(name(track))"
        case .send(let strip, let bus, _): "send from \(name(strip)) to \(bus.text)"
        case .removeSend(let strip, let bus): "remove send from \(name(strip)) to \(bus.text)"
        case .equalise(let strip, let change):
            change == .clear ? "clear eq of \(name(strip))" : "eq of \(name(strip))"
        case .setDynamics(let strip, let kind, let change):
            "\(change == .clear ? "clear " : "")\(kind.rawValue) of \(name(strip))"
        case .automix(let bus, let member, _):
            "automix of \(member.map { "\(name($0)) in " } ?? "")\(name(bus))"
        case .clearAutomix(let bus): "clear automix of \(name(bus))"
        case .monitoring(let control, let value?): control.title(value)
        case .nudgeMonitor(let control, _): control.title(value(of: control))
        case .muteGroup(let name, .turn(let flag)): "mute group \(name) \(flag ? "on" : "off")"
        case .muteGroup(let name, .remove): "remove mute group \(name)"
        case .muteGroup(let name, .members): "mute group \(name)"
        case .soloMode(let mode?): "solo mode \(mode.rawValue)"
        case .directOuts(let mode?): "direct outs \(mode.rawValue)"
        case .connect(let port, let other): "connect \(port) to \(other)"
        case .disconnect(let port, let other): "disconnect \(port)\(other.map { " from \($0)" } ?? "")"
        case .addDCA(let name, _): "add DCA \(name)"
        case .assign(let dca, let strips, let isMember):
            """
            \(isMember ? "assign" : "unassign") \(strips.map(name).joined(separator: ", ")) \
            \(isMember ? "to" : "from") \(name(dca))
            """
        default: nil
        }
    }

    private func sessionTitle(_ command: Command) -> String? {
        switch command {
        case .set(let strip, let control, let value): byName(control).entry.title(name(strip), value)
        case .nudge(let strip, let control, _): byName(control).entry.title(name(strip), .number(0))
        case .add(let file, _): "add \(Path.stem(of: file))"
        case .insert(let track, let file, _, _, _, _, _): "insert \(Path.stem(of: file)) on \(name(track))"
        case .remove(let track): "remove \(name(track))"
        case .new: "new session"
        case .relink(let file, let other): "relink \(Path.name(of: file)) to \(other)"
        case .load(let name): "load \(name)"
        case .scene(.store(let name)): "store scene \(name)"
        case .scene(.recall(let name, _, _, _)): "recall scene \(name)"
        case .marker(.add(let name, _)): "marker \(name)"
        case .marker(.remove(let name)): "remove marker \(name)"
        case .video(.set(let file, at: _, from: _)): "video \(Path.name(of: file))"
        case .video(.remove): "no video"
        case .scene(.remove(let name)): "remove scene \(name)"
        case .midi(let command): command.title
        default: nil
        }
    }

    /// "pan of ", and nothing for the volume, which is what is meant unless told.
    private func what(_ control: Control) -> String { control == .volume ? "" : "\(control.path) of " }

    /// A send's by the name of its bus, however that was said.
    private func byName(_ control: Control) -> Control {
        guard case .send(.number(let number), let part) = control,
            session.has(.bus(number))
        else { return control }
        return .send(.name(session.buses[number - 1].name), part)
    }

    private func name(_ reference: StripReference) -> String {
        guard let places = try? places(reference) else { return reference.text }
        return places.count > 3
            ? "\(places.count) strips" : places.map { session[$0].name }.joined(separator: ", ")
    }

    private func text(_ place: Place) -> String {
        switch place {
        case .time(let time): text(time)
        case .here: "the playhead"
        case .later(let time): "the playhead + \(text(time))"
        case .earlier(let time): "the playhead - \(text(time))"
        case .end: "the end"
        case .marker(let name): "marker \(name)"
        }
    }

    private func text(_ time: TimeSpec) -> String { time.time(atRate: session.sampleRate).readable }
}
