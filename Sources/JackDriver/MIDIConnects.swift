/// How often something has been connected to a pair of MIDI ports.
public struct MIDIConnects: Equatable, Sendable {
    /// To the input: what plays into the mixer.
    public var input = 0
    /// To the output: what hears the mixer.
    public var output = 0

    /// Never.
    public init() {}

    init(input: Int, output: Int) { (self.input, self.output) = (input, output) }
}
