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
