import CJack

/// What patchbays show of the ports: names for people, what belongs together, and in which order. Control
/// thread.
///
/// A server without metadata refuses it all, which harms nothing. jackd keeps it in one data base for all
/// servers of the machine, whose locks those who are killed leave behind: on a private server, where no
/// patchbay looks, there is none.
struct PortMetadata {
    let client: OpaquePointer
    let isWanted: Bool

    /// - Parameter group: what ports have in common that belong together.
    func set(_ port: OpaquePointer, _ name: String, group: String, order: Int) {
        if !isWanted { return }
        let subject = jack_port_uuid(port)
        jack_set_property(client, subject, jmix_pretty_name_key(), name, "text/plain")
        jack_set_property(client, subject, jmix_port_group_key(), group, "text/plain")
        jack_set_property(
            client, subject, jmix_order_key(), String(order), "http://www.w3.org/2001/XMLSchema#int")
    }

    /// The server keeps properties until they are removed, whether the port is there or not. By their names:
    /// `jack_remove_properties` goes through the whole data base with a cursor that holds one page while it
    /// waits for the next, and clients that did so at once waited for each other for ever.
    func forget(_ port: OpaquePointer) {
        if !isWanted { return }
        for key in [jmix_pretty_name_key(), jmix_port_group_key(), jmix_order_key()] {
            jack_remove_property(client, jack_port_uuid(port), key)
        }
    }
}
