import OSC

/// How the web server listens and whom it lets in.
public struct WebOptions: Sendable {
    public var address = "127.0.0.1"
    /// 0 for a free one.
    public var port: UInt16 = WebOptions.standardPort
    /// Who may talk, if not all who reach the address.
    public var allowed: [NetworkRange] = []
    /// Names by which a proxy before it is reached, as browsers say them: `mixer.example.org`.
    public var hosts: [String] = []
    /// Somebody with a second address may look and listen.
    public var hasGuests = false
    /// The largest file that is taken; 0 for none.
    public var maximumUpload = WebOptions.standardUpload

    public static let standardPort: UInt16 = 7780
    /// Two hours of stereo in 24 bits.
    public static let standardUpload = 2 << 30

    /// What lets in; nil: another one at each start.
    public var token: String?
    public var guestToken: String?

    public init() {}
}
