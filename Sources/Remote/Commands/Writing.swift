import OSC
import Speakers
import Timeline

/// How values stand in messages.
func number(_ value: Double) -> OSCArgument { ControlValue.number(value).exactArguments[0] }

func argument(_ time: TimeSpec) -> OSCArgument { ControlValue.time(time).exactArguments[0] }

/// The same where a number would be a switch.
func written(_ time: TimeSpec) -> OSCArgument {
    if case .seconds(let seconds) = time { .string("\(seconds)s") } else { argument(time) }
}

func argument(_ place: Place) -> OSCArgument {
    switch place {
    case .time(let time): argument(time)
    case .here: .string("here")
    case .later(let time): .string("+\(text(time))")
    case .earlier(let time): .string("-\(text(time))")
    case .end: .string("end")
    case .marker(let name): .string(name)
    }
}

/// As a person writes it.
private func text(_ time: TimeSpec) -> String {
    switch time {
    case .time(let time): "\(time)"
    case .frames(let frames): "\(frames)f"
    case .seconds(let seconds): "\(seconds)s"
    }
}

extension InputPorts {
    var arguments: [OSCArgument] {
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
