import Timeline

/// What hands do while they write, stamped by the audio thread.
extension PlaybackEngine {
    /// Whether the marks of hands and of the playhead's way are wanted.
    /// - Returns: false where the queue is full.
    package func followHands(_ isWanted: Bool) -> Bool { outbox.send(.followHands(isWanted), at: nil) }

    /// Has the audio thread say when it has done what has been asked of strips so far: by a mark of this
    /// number.
    /// - Returns: false where its queue is full.
    package func markHands(_ number: Int64) -> Bool { outbox.send(.mark(number)) }

    /// The marks that have come since the last call.
    package func takeHandMarks() -> [HandMark] { mixer.takeMarks() }

    /// The number of the next plan that is sent, as marks say it.
    package var nextPlan: Int { planner.plans.sent + 1 }

    /// 5 ms.
    package var fadeFrames: Int { mixer.fadeFrames }

    /// How far behind the playhead the timeline of a strip or a send is read, in frames; that of a DCA is
    /// read where its members' are, of which the first counts here.
    package func timelineLag(of id: StripID, members: [StripID] = []) -> Int64 {
        for line in arrangement?.lines ?? [] {
            if line.id == id || members.first == line.id { return line.content.lag }
            if let send = line.paths.sends.first(where: { $0.id == id }) { return send.lag }
        }
        return 0
    }
}
