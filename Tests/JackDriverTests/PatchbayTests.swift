import JackDriver
import Testing

@Suite struct PatchbayTests {
    private static let ports = [
        "system:playback_1", "system:playback_2", "vm-01:to_slave_1", "vm-02:to_slave_1", "a-b:x", "a:b:x",
    ]

    @Test(
        arguments: [
            ("system:playback_2", ["system:playback_2"]),
            ("system:*", ["system:playback_1", "system:playback_2"]),
            // A client of the same name with another number; the first of them.
            ("vm:to_slave_1", ["vm-01:to_slave_1"]), ("vm-07:to_slave_1", ["vm-01:to_slave_1"]),
            ("vm-02:to_slave_1", ["vm-02:to_slave_1"]),
            ("vm:to_slave_2", []), ("a:x", []), ("a-b:x", ["a-b:x"]), ("a:b:x", ["a:b:x"]), ("none", []),
            ("", []), ("[", []),
            ("{system,vm-01}:*_1", ["system:playback_1", "vm-01:to_slave_1"]),
        ] as [(String, [String])])
    func aNameMeansItselfAPatternOrAClientOfAnotherNumber(other: String, found: [String]) {
        #expect(Patchbay.candidates(for: other, among: Self.ports) == found)
    }
}
