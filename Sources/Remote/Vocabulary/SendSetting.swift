import OSC
import Timeline

/// One of the settings of a send that are made as one step.
public struct SendSetting: Equatable, Sendable {
    public let control: SendControl
    public let value: ControlValue

    public init(_ control: SendControl, _ value: ControlValue) {
        (self.control, self.value) = (control, value)
    }

    /// As a message to the send says it.
    var arguments: [OSCArgument] {
        switch (control, value) {
        case (.pre, .flag(let flag)): [.string(flag ? "pre" : "post")]
        case (.matrix, _): [.string("matrix")] + value.exactArguments
        default: value.exactArguments
        }
    }

    /// On a send of the session.
    public func set(_ send: inout Send) {
        switch (control, value) {
        case (.volume, .number(let volume)): send.volume = volume
        case (.pre, .flag(let flag)): send.isPre = flag
        case (.matrix, .text(let text)): send.matrix = try? SendMatrix(parsing: text)
        default: break
        }
    }
}
