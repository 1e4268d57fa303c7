import Page

/// A file of the page, as it lies in the program.
struct PageFile: Sendable {
    let bytes: [UInt8]
    let type: String
    /// Changes with the content.
    let tag: String

    private static let all: [String: PageFile] = {
        var all: [String: PageFile] = [:]
        var file = page_files()!
        while let name = file.pointee.name {
            all[String(cString: name)] = PageFile(Array(UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)), type: type(of: String(cString: name)))
            file += 1
        }
        return all
    }()

    private init(_ bytes: [UInt8], type: String) {
        (self.bytes, self.type) = (bytes, type)
        // FNV-1a: it only has to differ where the content does.
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        tag = "\"\(String(hash, radix: 16))\""
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
