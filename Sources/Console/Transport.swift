import Engine

/// Who is asked to play, stop and locate. Frames are those of the timeline at the server's rate.
package protocol Transport: AnyObject {
    func play()
    func stop()
    func locate(_ frame: Int64)
    var isRolling: Bool { get }
    /// It was told to stop a moment ago, and may not have done so yet.
    var isStopping: Bool { get }
    /// A stretch that is played round and round.
    func setLoop(_ loop: Range<Int64>?)
    /// In milliseconds.
    var shortestLoop: Int64 { get }
    /// What it played is over: where it is heard anew it stands still.
    func forget()
}

extension PlaybackEngine: Transport {
    // A period is mixed in pieces that end with the loop: many short ones would make it late.
    package var shortestLoop: Int64 { 1 }
    /// Once it is told to stop it rolls no more.
    package var isStopping: Bool { false }
    /// A new one stands still.
    package func forget() {}
}
