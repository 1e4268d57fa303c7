import AudioFile
import Speakers
import Timeline

/// Where a line's sound goes.
struct LinePaths: Equatable {
    /// The bus, or the master; nil for nowhere.
    var output: StripID?
    /// For so many frames what goes there is held back.
    var outputWait: Int64 = 0
    var sends: [SendPath] = []
    /// What the timeline says of its balance: the gains of left and right; nil: nothing.
    var pan: [EnvelopeBuilder]?

    /// A mute of the timeline that closes sends, and the strip or the DCA whose it is.
    struct Closing: Equatable {
        let owner: StripID
        let mute: EnvelopeBuilder
    }

    struct SendPath: Equatable {
        let id: StripID
        let bus: StripID
        let isPre: Bool
        let envelopes: [EnvelopeBuilder]
        /// The mutes of the timeline that close it beside its own: those of its strip, or of a DCA, that
        /// silence all.
        let closings: [Closing]
        let pan: [EnvelopeBuilder]?
        /// nil: the one between the two layouts.
        var matrix: SendMatrix?
        /// For so many frames what goes there is held back; how far behind the playhead it is then.
        var wait: Int64 = 0
        var lag: Int64 = 0
    }
}
