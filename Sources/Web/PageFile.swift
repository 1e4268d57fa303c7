import Page

/// A file of the page, as it lies in the program.
struct PageFile: Sendable {
    let bytes: [UInt8]
    let type: String
    /// Another one for another content, and after each start.
    let tag: String

    private static let all: [String: PageFile] = {
        var all: [String: PageFile] = [:]
        var file = page_files()!
        while let name = file.pointee.name {
            all[String(cString: name)] = PageFile(
                Array(UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)),
                type: type(of: String(cString: name)))
            file += 1
        }
        return all
    }()

    private init(_ bytes: [UInt8], type: String) {
        (self.bytes, self.type) = (bytes, type)
        tag = "\"\(String(UInt(bitPattern: bytes.hashValue), radix: 36))\""
    }

    static func named(_ name: String) -> PageFile? { all[name] }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
