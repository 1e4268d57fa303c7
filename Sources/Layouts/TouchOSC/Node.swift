import XML

/// A control of a TouchOSC layout, or a group of them, as its editor writes it (format version 3).
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
