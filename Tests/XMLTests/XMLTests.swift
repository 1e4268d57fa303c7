import TestSupport
import Testing
import XML

@Suite struct XMLTests {
    private static let texts = [
        "", "a", "a & b", "<x>", "\"quoted\" 'too'", "ä\u{1f3a4}", "]]>", "1 < 2", "&amp;", "two  spaces",
    ]

    private static func element(_ random: inout Seeded, depth: Int) -> XMLElement {
        let names = ["a", "B", "c-d", "e.f", "_g", "h1"]
        let attributes = names.filter { _ in Bool.random(using: &random) }.map {
            ($0, (texts + ["line\nend", "tab\t", " spaces "]).randomElement(using: &random)! as String?)
        }
        let count = depth == 0 ? 0 : Int.random(in: 0...4, using: &random)
        return XMLElement(
            names.randomElement(using: &random)!, pairs: attributes,
            (0..<count).map { _ in element(&random, depth: depth - 1) },
            text: texts.randomElement(using: &random)!)
    }

    @Test(arguments: 0..<200) func writtenDocumentsAreReadAsTheyWere(_ seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        let element = Self.element(&random, depth: 4)
        #expect(try XMLElement(parsing: Array(element.document.utf8)) == element, "seed \(seed)")
    }

    /// Each beginning of a document, and the document with any byte changed, is read or refused.
    @Test(arguments: 0..<20) func noBytesCrash(_ seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let bytes = Array(Self.element(&random, depth: 3).document.utf8)
        for end in bytes.indices {
            #expect(throws: XMLError.self) {
                try XMLElement(parsing: Array(bytes[..<min(end, bytes.count - 2)]))
            }
        }
        for _ in 0..<500 {
            var changed = bytes
            changed[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            _ = try? XMLElement(parsing: changed)
        }
    }

    private func refusal(_ text: String) -> XMLError? {
        do {
            _ = try XMLElement(parsing: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func aDocumentTypeIsRefusedWithItsLine() throws {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>
            <lolz>&lol2;</lolz>
            """
        let error = try #require(refusal(bomb))
        #expect(error.line == 2 && error.reason.contains("document type"))
        #expect(try #require(refusal("<a>\n<b>\n</a>")).line == 3)
    }

    @Test func aDocumentTooDeepOrTooLargeIsRefused() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(refusal(nested(200)) == nil)
        #expect(try #require(refusal(nested(201))).reason.contains("too deep"))
        let many = "<a>" + String(repeating: "<b/>", count: 1_000_001) + "</a>"
        #expect(try #require(refusal(many)).reason.contains("more than 1000000"))
    }

    @Test func charactersThatNoDocumentCanHoldAreLeftOut() {
        #expect(xmlEscaped("a\u{0}b\u{1b}[31m\u{ffff}") == "ab[31m")
        #expect(xmlEscaped("\n", inAttribute: true) == "&#10;" && xmlEscaped("\n") == "\n")
    }
}
