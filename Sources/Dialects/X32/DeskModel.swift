import Timeline

/// Which desk is spoken as.
public enum DeskModel: String, CaseIterable, Sendable {
    case x32, xair

    /// The port that its remotes speak to.
    public var port: UInt16 { self == .x32 ? 10023 : 10024 }

    /// As it is named to its remotes.
    var model: String { self == .x32 ? "X32" : "XR18" }
    /// The firmware whose parameters it has.
    var firmware: String { self == .x32 ? "4.06" : "1.17" }
    /// What the protocol itself is called.
    var protocolVersion: String { self == .x32 ? "V2.07" : "V0.04" }

    var tree: ParameterTree { ParameterTree(self == .x32 ? x32Table : xAirTable) }

    var tracks: Int { self == .x32 ? 32 : 16 }
    var buses: Int { self == .x32 ? 16 : 6 }
    var dcas: Int { self == .x32 ? 8 : 4 }
    var muteGroups: Int { self == .x32 ? 6 : 4 }
    var scenes: Int { self == .x32 ? 100 : 64 }
    /// Snapshots count from 1, scenes from 0.
    var firstScene: Int { self == .x32 ? 0 : 1 }

    /// What the addresses of a strip begin with; nil for one that the desk has not.
    func address(_ strip: StripPlace) -> String? {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return switch strip {
        case .track(let number): number <= tracks ? "/ch/\(digits(number))" : nil
        case .bus(let number):
            number <= buses ? (self == .x32 ? "/bus/\(digits(number))" : "/bus/\(number)") : nil
        case .dca(let number): number <= dcas ? "/dca/\(number)" : nil
        case .master: self == .x32 ? "/main/st" : "/lr"
        }
    }

    /// All strips that it has.
    var strips: [StripPlace] {
        (1...tracks).map(StripPlace.track) + (1...buses).map(StripPlace.bus)
            + (1...dcas).map(StripPlace.dca) + [.master]
    }

    /// The number of a strip's solo switch.
    func solo(_ strip: StripPlace) -> Int? {
        switch (self, strip) {
        case (_, .track(let number)): number
        case (.x32, .bus(let number)): 48 + number
        case (.xair, .bus(let number)): 39 + number
        case (.x32, .dca(let number)): 72 + number
        case (.xair, .dca(let number)): 50 + number
        default: nil
        }
    }
}
