import XML

/// A property of a control, as TouchOSC's editor writes it (format version 3).
enum Property {
    case string(String, String)
    case boolean(String, Bool)
    case integer(String, Int)
    case frame(Frame)

    var xml: String {
        switch self {
        case .string(let key, let text): element("s", key, xmlEscaped(text))
        case .boolean(let key, let flag): element("b", key, flag ? "1" : "0")
        case .integer(let key, let number): element("i", key, "\(number)")
        case .frame(let frame):
            element("r", "frame", "<x>\(frame.x)</x><y>\(frame.y)</y><w>\(frame.w)</w><h>\(frame.h)</h>")
        }
    }

    private func element(_ type: String, _ key: String, _ value: String) -> String {
        "<property type=\"\(type)\"><key>\(key)</key><value>\(value)</value></property>"
    }
}
