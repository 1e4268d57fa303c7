import CLiblo
import Glibc

/// Why a packet is not OSC.
public struct OSCPacketError: Error, Equatable, CustomStringConvertible {
    public let reason: String
    public var description: String { "not an OSC packet: \(reason)" }
}

extension OSCMessage {
    /// The largest packet taken or sent: what a UDP datagram holds.
    public static let maximumBytes = 65507

    /// Reads a message with liblo.
    ///
    /// A message without a type tag string, as some desk remotes send, is one without arguments: OSC 1.0 asks
    /// receivers to be robust to it.
    init(packet: some Collection<UInt8>) throws(OSCPacketError) {
        var bytes = Array(packet)
        let (address, end) = try Self.address(bytes)
        if (end / 4 + 1) * 4 == bytes.count { bytes += [UInt8(ascii: ","), 0, 0, 0] }
        let arguments: [OSCArgument]? = bytes.withUnsafeMutableBytes { buffer in
            var status: Int32 = 0
            guard let message = lo_message_deserialise(buffer.baseAddress, buffer.count, &status) else {
                return nil
            }
            defer { lo_message_free(message) }
            return Self.arguments(message)
        }
        guard let arguments else { throw OSCPacketError(reason: "its arguments do not fit its type tags") }
        self.init(address, arguments)
    }

    /// The address that a message begins with, and where it ends.
    private static func address(_ bytes: [UInt8]) throws(OSCPacketError) -> (address: String, end: Int) {
        guard bytes.first == UInt8(ascii: "/") else {
            throw OSCPacketError(reason: "an address begins with /")
        }
        guard bytes.count % 4 == 0 else { throw OSCPacketError(reason: "its length is no multiple of 4") }
        guard let end = bytes.firstIndex(of: 0) else {
            throw OSCPacketError(reason: "its address has no end")
        }
        guard let address = String(validating: bytes[..<end], as: UTF8.self) else {
            throw OSCPacketError(reason: "its address is not UTF-8")
        }
        return (address, end)
    }

    /// The address that a packet begins with, of whatever follows it; nil: there is none.
    static func address(ofPacket bytes: [UInt8]) -> String? {
        guard bytes.first == UInt8(ascii: "/"), let end = bytes.firstIndex(of: 0) else { return nil }
        return String(validating: bytes[..<end], as: UTF8.self)
    }

    private static func arguments(_ message: lo_message) -> [OSCArgument] {
        let count = Int(lo_message_get_argc(message))
        guard count > 0, let types = lo_message_get_types(message), let values = lo_message_get_argv(message)
        else { return [] }
        return (0..<count).map { index in
            let tag = Character(UnicodeScalar(UInt8(bitPattern: types[index])))
            if let value = values[index] { return argument(tag, value) }
            return tag == "T" ? .bool(true) : (tag == "F" ? .bool(false) : .other(tag))
        }
    }

    private static func argument(_ tag: Character, _ value: UnsafeMutablePointer<lo_arg>) -> OSCArgument {
        switch tag {
        // Not through the union: it is as wide as its widest member, and what is there may be narrower.
        case "i": return .int32(UnsafeRawPointer(value).loadUnaligned(as: Int32.self))
        case "h": return .int64(UnsafeRawPointer(value).loadUnaligned(as: Int64.self))
        case "f": return .float(UnsafeRawPointer(value).loadUnaligned(as: Float.self))
        case "d": return .double(UnsafeRawPointer(value).loadUnaligned(as: Double.self))
        case "s", "S": return text(UnsafeRawPointer(value)).map { .string($0) } ?? .other(tag)
        case "b": return .blob(bytes(of: UnsafeMutableRawPointer(value)))
        case "T": return .bool(true)
        case "F": return .bool(false)
        default: return .other(tag)
        }
    }

    /// What is not UTF-8 is no text that could be said again as it came.
    private static func text(_ value: UnsafeRawPointer) -> String? {
        String(validatingCString: value.assumingMemoryBound(to: CChar.self))
    }

    private static func bytes(of blob: lo_blob) -> [UInt8] {
        let size = Int(lo_blob_datasize(blob))
        return lo_blob_dataptr(blob).map { Array(UnsafeRawBufferPointer(start: $0, count: size)) } ?? []
    }

    /// The message as a packet, written by liblo. Arguments of other types are left out.
    public var packet: [UInt8] {
        let message = lo_message_new()
        defer { lo_message_free(message) }
        for argument in arguments {
            switch argument {
            case .int32(let value): lo_message_add_int32(message, value)
            case .int64(let value): lo_message_add_int64(message, value)
            case .float(let value): lo_message_add_float(message, value)
            case .double(let value): lo_message_add_double(message, value)
            case .string(let value): lo_message_add_string(message, value)
            case .bool(let value):
                if value { lo_message_add_true(message) } else { lo_message_add_false(message) }
            case .blob(let bytes):
                let blob = bytes.withUnsafeBytes { lo_blob_new(Int32($0.count), $0.baseAddress) }
                lo_message_add_blob(message, blob)
                lo_blob_free(blob)
            case .other: break
            }
        }
        var size = 0
        guard let data = lo_message_serialise(message, address, nil, &size) else { return [] }
        defer { free(data) }
        return Array(UnsafeRawBufferPointer(start: data, count: size))
    }
}
