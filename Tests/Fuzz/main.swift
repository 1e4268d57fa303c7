import Glibc
import OSC
import Remote
import Web

// The way of a packet from the network to a command, under libFuzzer: whatever the bytes, they are refused or
// understood. scripts/fuzz builds and runs it.

/// libFuzzer's own main, which calls back for each input.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

func understand(_ packet: OSCPacket) {
    for (_, message) in packet.messages {
        guard let commands = try? Command.commands(of: message) else { continue }
        for command in commands {
            // What a command is said as is understood as that command again.
            guard let said = command.messages.first, let again = try? Command.commands(of: said) else {
                continue
            }
            precondition(
                again.contains(command) || command.messages.count > 1,
                "\(command) is said as \(said), which is \(again)")
        }
    }
}

func takeDatagram(_ bytes: ArraySlice<UInt8>) {
    if let packet = try? OSCPacket(bytes) { understand(packet) }
}

/// The bytes of a connection, in pieces as long as the first byte says.
func takeStream(_ bytes: ArraySlice<UInt8>) {
    guard let size = bytes.first.map({ Int($0) + 1 }) else { return }
    var framing = StreamFraming()
    var rest = bytes.dropFirst()
    while !rest.isEmpty {
        guard let packets = framing.receive(rest.prefix(size)) else { return }
        for packet in packets { takeDatagram(packet[...]) }
        rest = rest.dropFirst(size)
    }
}

/// The web's way, from bytes to packets, texts and questions, without a network.
let webEdge = WebBench { understand($0) }

var count = CommandLine.argc
var words = CommandLine.unsafeArgv
exit(
    runFuzzer(&count, &words) { start, size in
        let bytes = Array(UnsafeBufferPointer(start: start, count: size))
        // The first byte says how the rest arrives.
        switch bytes.first {
        case nil: break
        case UInt8(ascii: "s"): takeStream(bytes.dropFirst())
        case UInt8(ascii: "h"): webEdge.take(requests: bytes.dropFirst())
        case UInt8(ascii: "w"): webEdge.take(frames: bytes.dropFirst())
        default: takeDatagram(bytes.dropFirst())
        }
        return 0
    })
