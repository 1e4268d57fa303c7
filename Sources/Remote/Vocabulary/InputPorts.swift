import OSC
import Speakers
import Timeline

/// What an input is connected to, port by port.
public struct InputPorts: Equatable, Sendable {
    /// One is heard on both sides, two are left and right, more are those of a layout.
    public let channels: Int
    public let connect: [String]

    public init(channels: Int, connect: [String]) { (self.channels, self.connect) = (channels, connect) }

    /// As someone wrote it: ports, one for each channel, or a word for how many there are before or behind
    /// them.
    init(parsing words: [String], layout: SpeakerLayout? = nil) throws(CommandError) {
        let named = words.compactMap { SpeakerLayout($0) }
        let layouts = named + (layout.map { [$0] } ?? [])
        let ports = words.filter { SpeakerLayout($0) == nil }
        if Set(layouts).count > 1 {
            let names = layouts.map(\.name).joined(separator: " and ")
            throw CommandError("an input has one number of channels, not two: \(names)", isUsage: true)
        }
        guard let layout = layouts.first ?? SpeakerLayout(rawValue: max(1, ports.count)),
            !layouts.isEmpty || ports.count <= 2
        else {
            throw CommandError(
                "an input has one port, mono, or two, stereo; --channels N gives it more", isUsage: true)
        }
        try layout.checkHasRoom(ofPorts: ports.count)
        self.init(channels: layout.channels, connect: ports)
    }
}

extension SpeakerLayout {
    fileprivate func checkHasRoom(ofPorts count: Int) throws(CommandError) {
        if count <= channels { return }
        let most = channels == 1 ? "one port" : "\(channels) ports"
        throw CommandError("what is \(name) has \(most), not \(count)", isUsage: true)
    }
}
