import OSC
import Timeline

extension Command {
    /// Reads a command from an OSC message: without arguments an address asks, with arguments it sets.
    /// - Throws: `CommandError`: no such address, arguments missing, too many, of the wrong type or out of range.
    public init(_ message: OSCMessage) throws(CommandError) {
        let parts = message.address.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        var arguments = Arguments(message.arguments)
        switch parts.first {
        case "track" where parts.count == 2 && parts[1] == "add": self = try Self.add(&arguments)
        case "track" where parts.count >= 3:
            self = try Self.track(TrackReference(parts[1]), parts[2...].joined(separator: "/"), &arguments)
        case "master" where parts.count >= 2: self = try Self.strip(.master, parts[1...].joined(separator: "/"), &arguments)
        case "transport" where parts.count == 2: self = try Self.transport(parts[1], &arguments)
        case "session" where parts.count == 2: self = try Self.session(parts[1], &arguments)
        default: self = try Self.whole(message.address, &arguments)
        }
        try arguments.end()
    }

    private static var noAddress: CommandError { CommandError("there is no such address") }

    /// What tracks and the master have in common.
    private static func strip(_ strip: StripReference, _ name: String, _ arguments: inout Arguments) throws(CommandError) -> Command {
        switch name {
        case "volume": return .volume(strip, arguments.isEmpty ? nil : try arguments.volume())
        case "volume/db": return .level(strip, .db, arguments.isEmpty ? nil : try arguments.level())
        case "volume/position": return .level(strip, .position, arguments.isEmpty ? nil : try arguments.number("the position"))
        case "fade": return .fade(strip, to: try arguments.volume(), over: try arguments.time(), curve: try arguments.curve())
        case "mute": return .mute(strip, arguments.isEmpty ? nil : try arguments.flag())
        case "meter": return .meter(strip)
        default: throw noAddress
        }
    }

    private static func track(_ track: TrackReference, _ name: String, _ arguments: inout Arguments) throws(CommandError) -> Command {
        switch name {
        case "volume":
            if arguments.isEmpty { return .volume(.track(track), nil) }
            let volume = try arguments.volume()
            if arguments.isEmpty { return .volume(.track(track), volume) }
            return .point(track, volume: volume, at: try arguments.time(), replace: try arguments.replace())
        case "ramp":
            return .ramp(track, from: try arguments.volume(), to: try arguments.volume(), start: try arguments.time(), end: try arguments.time(),
                         curve: try arguments.curve(), replace: try arguments.replace())
        case "solo": return .solo(track, arguments.isEmpty ? nil : try arguments.flag())
        case "pan": return .pan(track, arguments.isEmpty ? nil : try arguments.number("the pan"))
        case "name": return .name(track, arguments.isEmpty ? nil : try arguments.text("the name"))
        case "fadein": return .fadeIn(track, arguments.isEmpty ? nil : try arguments.time())
        case "fadeout": return .fadeOut(track, arguments.isEmpty ? nil : try arguments.time())
        case "automation": return .automation(track)
        case "automation/clear":
            if arguments.isEmpty { return .clearAutomation(track, from: nil, to: nil) }
            return .clearAutomation(track, from: try arguments.time(), to: try arguments.time())
        case "insert":
            return .insert(track, file: try arguments.text("the file"), at: try arguments.time(),
                           from: arguments.isEmpty ? nil : try arguments.time(), duration: arguments.isEmpty ? nil : try arguments.time())
        case "remove": return .remove(track)
        case "duck": return try duck(track, &arguments)
        default: return try strip(.track(track), name, &arguments)
        }
    }

    private static func add(_ arguments: inout Arguments) throws(CommandError) -> Command {
        .add(file: try arguments.text("the file"), at: arguments.isEmpty ? nil : try arguments.time())
    }

    private static func duck(_ track: TrackReference, _ arguments: inout Arguments) throws(CommandError) -> Command {
        .duck(track, under: try arguments.track(), to: try arguments.volume(),
              attack: arguments.isEmpty ? nil : try arguments.time(), release: arguments.isEmpty ? nil : try arguments.time())
    }

    private static func transport(_ name: String, _ arguments: inout Arguments) throws(CommandError) -> Command {
        switch name {
        case "play": return .play
        case "stop": return .stop
        case "locate": return .locate(try arguments.time())
        case "position": return .position
        case "state": return .state
        case "loop":
            if arguments.isEmpty { return .askLoop }
            let start = arguments
            if let flag = try? arguments.flag(), !flag { return .loopOff }
            arguments = start
            if let text = try? arguments.text("off"), text == "off" { return .loopOff }
            arguments = start
            return .loop(from: try arguments.time(), to: try arguments.time())
        default: throw noAddress
        }
    }

    private static func session(_ name: String, _ arguments: inout Arguments) throws(CommandError) -> Command {
        switch name {
        case "save": return .save(arguments.isEmpty ? nil : try arguments.text("the name"))
        case "load": return .load(try arguments.text("the name"))
        case "undo": return .undo
        case "redo": return .redo
        default: throw noAddress
        }
    }

    private static func whole(_ address: String, _ arguments: inout Arguments) throws(CommandError) -> Command {
        switch address {
        case "/tracks": return .tracks
        case "/status": return .status
        case "/version": return .version
        case "/duck": return try duck(try arguments.track(), &arguments)
        case "/subscribe":
            let pattern = arguments.isEmpty ? Subscription.everything : try arguments.text("the pattern")
            let rate = arguments.isEmpty ? Double(Subscription.standardRate) : try arguments.number("the rate")
            guard (1...Double(Subscription.maximumRate)).contains(rate) else {
                throw CommandError("\(rate) is not a rate: it goes from 1 to \(Subscription.maximumRate) times a second")
            }
            return .subscribe(pattern: pattern, rate: Int(rate))
        case "/unsubscribe": return .unsubscribe(pattern: arguments.isEmpty ? nil : try arguments.text("the pattern"))
        case "/ping":
            if arguments.isEmpty { return .ping(nil) }
            return .ping(Int32(exactly: try arguments.number("the number")) ?? 0)
        default: throw noAddress
        }
    }
}
