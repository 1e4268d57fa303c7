import JSON
import Speakers

/// What a strip may be called.
public enum StripName {
    /// In bytes of UTF-8.
    public static let maximumLength = 100

    /// Whether there is anything in a name that a terminal would obey.
    public static func hasControlCharacters(_ name: String) -> Bool {
        name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// What patterns are written with: whoever means the track `*` would mean them all.
    private static let ofPatterns: Set<Character> = ["*", "?", "[", "]", "{", "}"]

    /// The name with an _ for each such letter.
    public static func withoutPattern(_ name: String) -> String {
        String(name.map { ofPatterns.contains($0) ? "_" : $0 })
    }

    /// Why `name` cannot be given to a strip, or nil. Sessions may have such strips from before.
    public static func problem(ofNew name: String) -> String? {
        if let letter = name.first(where: ofPatterns.contains) {
            return "a new name has no \(letter), which makes a pattern"
        }
        if [StripKind.bus, .dca].contains(where: { name.hasPrefix("\($0.rawValue):") }) {
            return "\"\(name)\" would be taken for a strip's number"
        }
        if ["none", "ports"].contains(name) {
            return "\"\(name)\" says where a strip goes, and cannot name one"
        }
        if name == "monitor" { return "\"monitor\" is the name of the ports that play what is monitored" }
        return problem(name)
    }

    /// Why `name` cannot name a strip, or nil: it must not be taken for a number, for the master, or for
    /// nothing.
    public static func problem(_ name: String) -> String? {
        if name.isEmpty { return "a name must not be empty" }
        if name.utf8.count > maximumLength { return "a name has at most \(maximumLength) bytes" }
        if name == "master" { return "\"master\" is the name of the sum of all tracks" }
        if Int(name) != nil { return "\"\(name)\" would be taken for a track's number" }
        if name.contains("/") { return "a name has no /, which parts an OSC address" }
        if hasControlCharacters(name) { return "a name has no control characters" }
        return nil
    }

    /// What stands between a track's name and the number of a port by which it hears others.
    public static let inputSuffix = "_in"

    /// What the ports of a strip begin with, those by which it is heard and those by which it hears.
    public static func ports(_ name: String, hasInput: Bool) -> Set<String> {
        hasInput ? [ofPorts(name), ofPorts(name) + inputSuffix] : [ofPorts(name)]
    }

    /// One of a strip's ports, as "voice_1" or "mic_in_1".
    public static func port(_ name: String, isInput: Bool, side: Int) -> String {
        "\(ofPorts(name))\(isInput ? inputSuffix : "")_\(side)"
    }

    /// What the ports of the monitor begin with.
    package static let monitor = "monitor"

    /// What the ports that play what is monitored are called: "monitor", or the next that is free where a
    /// session from before has a strip of that name.
    static func ofMonitor(besides names: some Sequence<String>) -> String {
        let taken = Set(names.map(ofPorts))
        var (name, number) = (monitor, 1)
        while taken.contains(name) {
            number += 1
            name = "\(monitor)-\(number)"
        }
        return name
    }

    /// The name as it stands in a port's, where a colon parts a client's name from it. Strips whose ports
    /// would be called alike cannot be told apart there.
    public static func ofPorts(_ name: String) -> String {
        name.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "-")
    }
}
