/// What an address is for.
enum AddressNature: Sendable {
    /// It holds a value, to set or to ask.
    case value(any AnyAnswerKind)
    /// It does something, and may answer.
    case action((any AnyAnswerKind)? = nil)
    /// It asks something that OSC alone tells, in messages of these types.
    case told(String)

    /// Which of what may follow it asks for its value.
    func questions<Value>(of field: Field<Value>) -> @Sendable (Value) -> Bool {
        if case .value = self { field.asks } else { { _ in false } }
    }
}
