/// What a player was asked last. Control thread.
struct PlayerOrders {
    /// Whether it was told to play.
    var isRolling = false
    /// The frames between which it plays round and round; nil: none.
    var loop: Range<Int64>?
    /// Where the last locate goes, and the route that it made: until the audio thread is on it, that is the
    /// position.
    var lastLocate: (route: Int, frame: Int64)?
}
