import XML

/// A value that a control has when the layout is opened.
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
