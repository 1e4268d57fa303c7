import TestSupport
import Testing
import Web

/// Who gets in, against a page that says it plainly: the right name, no other site, and the token, or a
/// program of this machine that only looks.
@Suite struct WebAccessTests {
    private let plain = WebAccess(
        port: 7780, token: "right", guestToken: "guest", hosts: ["127.0.0.1", "Studio.local"])
    private let proxied = WebAccess(
        port: 7780, token: "right", guestToken: "guest", hosts: ["127.0.0.1", "Studio.local"],
        proxied: ["mixer.example.org"])

    /// A program of this machine looks without a token; whatever a browser or a proxy says of itself tells
    /// that it is none.
    @Test func aBrowserOrAProxyIsNoProgramOfThisMachine() {
        func mayLook(_ headers: [String: [String]]) -> Bool {
            let request = WebAccess.Request(
                method: "GET", target: "/track/1/volume",
                headers: headers.merging(["host": ["127.0.0.1:7780"]]) { $1 }, isFromLoopback: true,
                isUpgrade: false)
            if case .granted = plain.judge(request) { return true }
            return false
        }
        #expect(mayLook([:]) && mayLook(["user-agent": ["curl"]]))
        for tell in [
            "cookie", "sec-fetch-site", "sec-fetch-mode", "x-forwarded-for", "forwarded", "x-real-ip", "via",
        ] {
            #expect(!mayLook([tell: ["x"]]), "\(tell)")
        }
    }

    @Test func thousandsOfRandomRequests() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed", seed)
        var random = Seeded(state: seed)
        func choice<Value>(_ values: Value...) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        var seen: Set<String> = []
        for _ in 0..<20_000 {
            let host: [String] = choice(
                ["127.0.0.1:7780"], ["studio.local:7780"], ["mixer.example.org"], ["evil.example"],
                ["127.0.0.1"], ["127.0.0.1:80"], [], ["127.0.0.1:7780", "evil.example"])
            let origin: String? = choice(
                nil, nil, "http://\(host.first ?? "")", "https://\(host.first ?? "")", "http://evil.example",
                "null", "http://127.0.0.1:7780.evil.example")
            let token: String? = choice(nil, nil, "right", "guest", "wrong", "", "righ", "rightt")
            let place = choice("query", "cookie", "bearer", "other cookie")
            let method = choice("GET", "GET", "GET", "PUT", "POST", "HEAD")
            let (isUpgrade, isLocal, wantsPage, tells) = (
                choice(true, false), choice(true, false), choice(true, false),
                choice(
                    nil, nil, nil, nil, "sec-fetch-site", "sec-fetch-mode", "x-forwarded-for", "forwarded",
                    "x-real-ip", "via", "cookie")
            )
            var headers: [String: [String]] = ["host": host]
            // Two of them are two sites, of which one is another.
            let origins = Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1
            if let origin { headers["origin"] = Array(repeating: origin, count: origins) }
            if wantsPage { headers["accept"] = ["text/html,*/*"] }
            if let tells { headers[tells] = ["x=y"] }
            var target = choice(
                "/", "/track/1/volume", "//evil.example/x", "/\\evil.example", "/page/main.js", "")
            // As a proxy is asked: a whole address, which names who is asked once more.
            let authority: String? = choice(
                nil, nil, nil, "127.0.0.1:7780", "STUDIO.local:7780", "mixer.example.org", "evil.example", "",
                "127.0.0.1:7780@evil.example", "127.0.0.1")
            if let authority { target = choice("http", "HTTP") + "://\(authority)\(target)" }
            if let token {
                switch place {
                case "query": target += "?token=\(token)"
                case "cookie": headers["cookie"] = ["a=b; jmix-7780=\(token)"]
                case "bearer": headers["authorization"] = ["Bearer \(token)"]
                default: headers["cookie"] = ["jmix-7781=\(token)"]
                }
            }
            let request = WebAccess.Request(
                method: method, target: target, headers: headers, isFromLoopback: isLocal,
                isUpgrade: isUpgrade)
            let isProxied = choice(true, false)
            let verdict = (isProxied ? proxied : plain).judge(request)

            func isOwn(_ name: String) -> Bool {
                ["127.0.0.1:7780", "studio.local:7780"].contains(name.lowercased())
                    || isProxied && name == "mixer.example.org"
            }
            let isOwnName = host.count == 1 && isOwn(host[0]) && (authority == nil || isOwn(authority!))
            let isOwnSite =
                origin == nil
                || origins == 1
                    && ["http", "https"].contains { origin == "\($0)://\(host.first ?? "")" }
            let role: WebAccess.Role? =
                place == "other cookie" ? nil : token == "right" ? .desk : token == "guest" ? .guest : nil
            let saysToken = token != nil && (place == "query" || place == "bearer")
            let isProgram =
                isLocal && !isProxied && ["GET", "HEAD"].contains(method) && !wantsPage && origin == nil
                && headers["cookie"] == nil && tells == nil
            let expected: String
            if !isOwnName {
                expected = "421"
            } else if !isOwnSite {
                expected = "403"
            } else if let role {
                expected =
                    place == "query" && method == "GET" && wantsPage && !isUpgrade ? "redirect" : "\(role)"
            } else if saysToken {
                expected = "401"
            } else {
                expected = isProgram ? "desk" : "401"
            }
            seen.insert(expected)
            let found =
                switch verdict {
                case .granted(let role): "\(role)"
                case .redirect: "redirect"
                case .refused(let status, let reason): reason.isEmpty ? "no reason" : "\(status)"
                }
            #expect(found == expected, "\(request)")
            if case .redirect(let to, let cookie) = verdict {
                #expect(to.hasPrefix("/") && !to.hasPrefix("//") && !to.hasPrefix("/\\"))
                #expect(!to.contains("token"))
                #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            }
        }
        #expect(seen == ["421", "403", "401", "redirect", "desk", "guest"])
    }

    @Test func tokensAreLongAndNeverTheSame() {
        let tokens = Set((0..<1000).map { _ in WebAccess.newToken() })
        #expect(tokens.count == 1000)
        #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
