import CSndfile

/// What a file says of itself beside its samples: tags, and chapters.
public struct FileLabels: Equatable, Sendable {
    /// A field that files of most kinds have.
    public enum Tag: String, CaseIterable, Sendable {
        /// What it is called, by whom, and of what it is a part.
        case title, artist, album
        /// Anything.
        case comment
        /// As 2026 or 2026-11-22.
        case date
        /// Of what kind it is; its number in the album; whose it is.
        case genre, track, copyright

        /// libsndfile's name of it.
        var code: Int32 {
            switch self {
            case .title: Int32(SF_STR_TITLE)
            case .artist: Int32(SF_STR_ARTIST)
            case .album: Int32(SF_STR_ALBUM)
            case .comment: Int32(SF_STR_COMMENT)
            case .date: Int32(SF_STR_DATE)
            case .genre: Int32(SF_STR_GENRE)
            case .track: Int32(SF_STR_TRACKNUMBER)
            case .copyright: Int32(SF_STR_COPYRIGHT)
            }
        }
    }

    /// A place in the file with a name; it lasts until the next, or the end.
    public struct Chapter: Equatable, Sendable {
        /// What it is called.
        public let name: String
        /// Where it begins, counted from 0.
        public let frame: Int64

        /// A chapter from `frame` on.
        public init(name: String, frame: Int64) { (self.name, self.frame) = (name, frame) }
    }

    /// What there is of each field.
    public var tags: [Tag: String] = [:]
    /// In the order of their frames.
    public var chapters: [Chapter] = []
    /// The file of a picture, JPEG or PNG; nil: none.
    public var cover: String?

    /// Nothing.
    public init() {}
}
