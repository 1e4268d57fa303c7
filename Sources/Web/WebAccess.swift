import JSON
import OSC

/// Who may come in by HTTP, and as what. A page in anybody's browser can reach a port of this machine; so it
/// is judged by what browsers cannot be made to leave out.
public struct WebAccess: Sendable {
    /// What somebody who came in may do.
    public enum Role: Sendable, Equatable {
        case desk
        /// Looks and listens, and changes nothing.
        case guest
    }

    /// What a request says that matters here.
    public struct Request: Sendable {
        public var method: String
        /// Path and query as they were sent, or a whole address.
        public var target: String
        /// All values of a header, by its name in small letters.
        public var headers: [String: [String]]
        public var isFromLoopback: Bool
        /// It wants to become a WebSocket.
        public var isUpgrade: Bool

        public init(
            method: String, target: String, headers: [String: [String]], isFromLoopback: Bool, isUpgrade: Bool
        ) {
            (self.method, self.target, self.headers) = (method, target, headers)
            (self.isFromLoopback, self.isUpgrade) = (isFromLoopback, isUpgrade)
        }

        func header(_ name: String) -> String? { headers[name]?.first }

        /// It wants a page, not data.
        var wantsPage: Bool { Self.wantsPage(accept: headers["accept", default: []]) }

        static func wantsPage(accept: [String]) -> Bool {
            accept.contains { $0.lowercased().contains("text/html") }
        }
    }

    public enum Verdict: Sendable, Equatable {
        case granted(Role)
        /// The token in the address was right: it becomes a cookie, and the address is asked again without
        /// it.
        case redirect(to: String, cookie: String)
        case refused(status: Int, reason: String)

        /// It was called by a name that is not this machine's.
        var isOfUnknownName: Bool { if case .refused(421, _) = self { true } else { false } }
    }

    private let port: UInt16
    private let token: String
    private let guestToken: String?
    /// By what names it may be called, with the port where that is not 80.
    private let hosts: Set<String>
    /// A proxy stands before it: then who comes from this machine may be anybody.
    private let isProxied: Bool

    /// - Parameters:
    ///   - hosts: names and addresses by which it is reached, without the port.
    ///   - proxied: names by which a proxy is reached, as they stand in `Host`.
    public init(port: UInt16, token: String, guestToken: String?, hosts: [String], proxied: [String] = []) {
        (self.port, self.token, self.guestToken, isProxied) = (port, token, guestToken, !proxied.isEmpty)
        self.hosts = Set(
            hosts.flatMap {
                port == 80 ? [$0.lowercased(), "\($0.lowercased()):80"] : ["\($0.lowercased()):\(port)"]
            } + proxied.map { $0.lowercased() })
    }

    /// 128 random bits, for a token.
    public static func newToken() -> String {
        (0..<4).map { _ in zeroPadded(UInt32.random(in: 0 ... .max), 8, radix: 16) }.joined()
    }

    /// The cookie's name: those of one host are shared by all its ports.
    private var cookieName: String { "jmix-\(port)" }

    /// - Returns: who it is, or why not. A name that is not this host's is refused, whoever asks (DNS
    ///   rebinding); so is another site's page (its Origin); else it takes the token, in the address, a
    ///   header or the cookie. A program on this machine may look without, and a browser says that it is one
    ///   (Origin, or Fetch Metadata).
    public func judge(_ request: Request) -> Verdict {
        if let refusal = refusalOfSite(request) { return refusal }
        let (path, query) = Self.split(request.target)
        if let given = query.first(where: { $0.name == "token" })?.value {
            return judge(request, path, token: given)
        }
        if let bearer = request.header("authorization"), bearer.hasPrefix("Bearer ") {
            return role(of: String(bearer.dropFirst(7))).map(Verdict.granted)
                ?? .refused(status: 401, reason: Self.ask)
        }
        if let role = roleOfCookies(request) { return .granted(role) }
        if isProgramOfThisMachine(request) { return .granted(.desk) }
        return .refused(status: 401, reason: Self.ask)
    }

    /// Under names that are not the mixer's, and from pages of other sites, nothing is had.
    private func refusalOfSite(_ request: Request) -> Verdict? {
        guard let host = request.headers["host"], host.count == 1, hosts.contains(host[0].lowercased()) else {
            return Self.refusal(ofName: request.header("host") ?? "")
        }
        if let (name, _) = Self.authority(request.target), !hosts.contains(name.lowercased()) {
            return Self.refusal(ofName: String(name))
        }
        guard Self.isOfThisSite(request, host[0].lowercased()) else {
            return .refused(status: 403, reason: "Another site's page may not use this mixer.")
        }
        return nil
    }

    private static func refusal(ofName name: String) -> Verdict {
        .refused(
            status: 421,
            reason:
                """
                This mixer does not answer to the name "\(name)": use the address that jmix run printed, or \
                name yours with --web-host.
                """)
    }

    private func judge(_ request: Request, _ path: Substring, token given: String) -> Verdict {
        guard let role = role(of: given) else { return .refused(status: 401, reason: Self.ask) }
        guard request.method == "GET", !request.isUpgrade, request.wantsPage else {
            return .granted(role)
        }
        // Nothing of the address leads elsewhere: // would be another host, and /\ is read as that.
        return .redirect(to: "/" + path.drop { "/\\".contains($0) }, cookie: cookie(given, request))
    }

    /// Whether it comes from no site's page, or from a page of this mixer's own.
    private static func isOfThisSite(_ request: Request, _ host: String) -> Bool {
        guard let origins = request.headers["origin"] else { return true }
        return origins.count == 1 && ["http://\(host)", "https://\(host)"].contains(origins[0].lowercased())
    }

    private func cookie(_ token: String, _ request: Request) -> String {
        """
        \(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict; \
        Max-Age=604800\(request.header("x-forwarded-proto") == "https" ? "; Secure" : "")
        """
    }

    private func roleOfCookies(_ request: Request) -> Role? {
        for cookie in request.headers["cookie", default: []].flatMap({ $0.split(separator: ";") }) {
            let pair = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if pair.count == 2, pair[0] == cookieName, let role = role(of: String(pair[1])) { return role }
        }
        return nil
    }

    private static let ask = "This mixer asks for a token: use the address that jmix run printed."

    /// No browser, nobody behind a proxy, and nothing that is written.
    private func isProgramOfThisMachine(_ request: Request) -> Bool {
        let tells = [
            "origin", "cookie", "sec-fetch-site", "sec-fetch-mode", "x-forwarded-for", "forwarded",
            "x-real-ip", "via",
        ]
        return request.isFromLoopback && !isProxied && !request.wantsPage
            && ["GET", "HEAD"].contains(request.method) && tells.allSatisfy { request.headers[$0] == nil }
    }

    private func role(of given: String) -> Role? {
        if Self.isEqual(given, token) { return .desk }
        if let guestToken, Self.isEqual(given, guestToken) { return .guest }
        return nil
    }

    /// Takes as long whatever is wrong.
    private static func isEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Who is asked by a target that is a whole address (RFC 9112, 3.2.2), and where its path begins.
    private static func authority(_ target: String) -> (name: Substring, behind: Substring)? {
        let scheme = "http://"
        guard target.lowercased().hasPrefix(scheme) else { return nil }
        let rest = target.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        return (rest[..<end], rest[end...])
    }

    /// Path and query of a request's target.
    static func split(_ target: String) -> (path: Substring, query: [(name: String, value: String?)]) {
        let target = authority(target)?.behind ?? target[...]
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs =
            parts.count < 2
            ? []
            : parts[1].split(separator: "&").map { pair -> (String, String?) in
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (unescaped(halves[0]) ?? "", halves.count < 2 ? nil : unescaped(halves[1]))
            }
        // An empty path is the root (RFC 9110, 4.2.3).
        return (parts.first.flatMap { $0.isEmpty ? nil : $0 } ?? "/", pairs)
    }

    /// Text of an address with its `%20`; nil if that is not UTF-8.
    static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
