import ArgumentParser

/// Who leads the transport.
enum TransportSource: String, CaseIterable, ExpressibleByArgument {
    case `internal`, jack
}
