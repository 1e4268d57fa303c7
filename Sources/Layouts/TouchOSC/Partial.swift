import XML

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
