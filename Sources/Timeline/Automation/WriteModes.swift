/// The modes of the controls of a strip or a send: those that are not `read`.
public struct WriteModes: Equatable, Sendable {
    private(set) var modes: [Automation.Control: WriteMode] = [:]

    /// All controls on `read`.
    public init() {}

    /// That of a control.
    public subscript(control: Automation.Control) -> WriteMode {
        get { modes[control] ?? .read }
        set { modes[control] = newValue == .read ? nil : newValue }
    }

    /// All controls are on `read`.
    public var isEmpty: Bool { modes.isEmpty }

    /// The controls that are not on `read`, in the order of `Automation.Control`.
    public var controls: [Automation.Control] { Automation.Control.allCases.filter { modes[$0] != nil } }

    /// The automation of these is not played.
    var off: [Automation.Control] { controls.filter { modes[$0] == .off } }
}
