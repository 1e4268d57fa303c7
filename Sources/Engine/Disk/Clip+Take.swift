import Timeline

extension Clip {
    /// What was recorded, as it lies.
    /// - Parameters:
    ///   - take: the file.
    ///   - start: the frame of the timeline where its first frame lies.
    ///   - aired: by how many frames it was heard live later than that.
    ///   - rate: of these frames, a second.
    public init(ofTake take: String, start: Int64, duration: MediaTime, aired: Int64, rate: Int32) {
        self.init(file: take)
        (at, self.duration) = (MediaTime(frame: start, rate: rate), duration)
        self.aired = MediaTime(frame: aired, rate: rate)
    }
}
