// The elements of a TouchOSC layout (format version 3), as its editor writes them.

import XML

struct Frame {
    let (x, y, w, h): (Int, Int, Int, Int)

    init(_ x: Int, _ y: Int, _ w: Int, _ h: Int) { (self.x, self.y, self.w, self.h) = (x, y, w, h) }
}

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

/// What a control holds when the layout is opened.
struct Value {
    let key: String
    let initial: String

    init(_ key: String, _ initial: String) { (self.key, self.initial) = (key, initial) }

    var xml: String {
        """
        <value><key>\(key)</key><locked>0</locked><lockedDefaultCurrent>0</lockedDefaultCurrent>\
        <default>\(xmlEscaped(initial))</default><defaultPull>0</defaultPull></value>
        """
    }
}

/// A piece of an address or an argument.
enum Partial {
    case constant(String, String)
    /// A value of the control, scaled.
    case value(String, String, Int, Int)

    var xml: String {
        let (type, conversion, value, low, high) =
            switch self {
            case .constant(let text, let conversion): ("CONSTANT", conversion, text, 0, 1)
            case .value(let key, let conversion, let low, let high): ("VALUE", conversion, key, low, high)
            }
        return
            """
            <partial><type>\(type)</type><conversion>\(conversion)</conversion>\
            <value>\(xmlEscaped(value))</value><scaleMin>\(low)</scaleMin>\
            <scaleMax>\(high)</scaleMax></partial>
            """
    }
}

/// An OSC message that a control sends, receives, or both.
struct Message {
    let address: String
    let arguments: [Partial]
    let trigger: String
    let condition: String
    let sends: Bool
    let receives: Bool

    init(
        _ address: String, _ arguments: [Partial], trigger: String = "x", condition: String = "ANY",
        sends: Bool = true, receives: Bool = true
    ) {
        self.address = address
        self.arguments = arguments
        self.trigger = trigger
        self.condition = condition
        self.sends = sends
        self.receives = receives
    }

    var xml: String {
        """
        <osc><enabled>1</enabled><send>\(sends ? 1 : 0)</send><receive>\(receives ? 1 : 0)</receive>\
        <feedback>0</feedback><connections>00001</connections>\
        <triggers><trigger><var>\(trigger)</var><condition>\(condition)</condition></trigger></triggers>\
        <path>\(Partial.constant(address, "STRING").xml)</path>\
        <arguments>\(arguments.map(\.xml).joined())</arguments></osc>
        """
    }
}

/// A control, or a group of them.
struct Node {
    let type: String
    let name: String
    var properties: [Property]
    var values: [Value] = []
    var messages: [Message] = []
    var children: [Node] = []

    init(_ type: String, _ name: String, _ frame: Frame) {
        self.type = type
        self.name = name
        properties = [.string("name", name), .frame(frame)]
    }

    /// A control's name is its address, or says where it is: no two are the same, so it can be its ID.
    var xml: String {
        """
        <node ID="\(xmlEscaped(name))" type="\(type)">\
        <properties>\(properties.map(\.xml).joined())</properties>\
        <values>\(values.map(\.xml).joined())</values>\
        <messages>\(messages.map(\.xml).joined())</messages>\
        <children>\(children.map(\.xml).joined())</children></node>
        """
    }
}
