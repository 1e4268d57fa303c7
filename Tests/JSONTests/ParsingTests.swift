import Foundation
import JSON
import TestSupport
import Testing

@Suite struct Parsing {
    private func fault(_ text: String) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) { _ = try JSONValue(parsing: text) } catch { return error }
        return nil
    }

    @Test func numbersKeepTheirText() throws {
        for text in [
            "0", "-0", "0.1", "1.0", "1E5", "-2e-007", "123456789012345678901234567890",
            "0.1000000000000000055511151231257827", "1e400", "18446744073709551616",
        ] {
            #expect(try JSONValue(parsing: text) == .number(text))
            #expect(
                try JSONValue(parsing: " [ \(text),\(text) ] ") == .array([.number(text), .number(text)]))
        }
    }

    @Test func textsAndKeysMayHoldAnything() throws {
        let text = #"{ "a\u0000b": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀", "a\u0000": 1, "": null }"#
        let value = try JSONValue(parsing: text)
        #expect(value["a\0b"] == .string("\"\\/\u{8}\u{c}\n\r\té😀é😀"))
        #expect(value["a\0"] == .number("1") && value[""] == .null)
        #expect(try JSONValue(parsing: value.compactText) == value)
        #expect(try JSONValue(parsing: value.prettyText()) == value)
        // Half of a pair stands for nothing.
        for (half, left) in [
            (#""\ud83d""#, ""), (#""\ud83dx""#, "x"), (#""\ud83d\n""#, "\n"), (#""\ude00""#, ""),
        ] {
            #expect(try JSONValue(parsing: half) == .string("\u{fffd}\(left)"))
        }
        #expect(try JSONValue(parsing: #""\ud83d\ud83d\ude00""#) == .string("\u{fffd}😀"))
        #expect(try JSONValue(parsing: #"{"a": 1, "b": 2, "a": 3}"#).compactText == #"{ "a": 3, "b": 2 }"#)
    }

    /// Each with the line and the column of what is wrong.
    @Test func faultsHaveAPlace() {
        let faults: [(String, Int, Int)] = [
            ("", 1, 1), ("  \n ", 2, 2), ("{", 1, 2), ("[1,", 1, 4), ("[1 2]", 1, 4), ("[1,]", 1, 4),
            ("{\"a\" 1}", 1, 6), ("{\"a\":1,}", 1, 8), ("{a:1}", 1, 2), ("{\"a\":1\n\"b\":2}", 2, 1),
            ("'a'", 1, 1), ("\"a", 1, 3), ("\"a\nb\"", 1, 3), ("\"\\x\"", 1, 3), ("\"\\u12g4\"", 1, 6),
            ("01", 1, 2), ("-", 1, 2), ("1.", 1, 3), (".5", 1, 1), ("+1", 1, 1), ("1e", 1, 3), ("1e+", 1, 4),
            ("tru", 1, 4), ("nulll", 1, 5), ("True", 1, 1), ("NaN", 1, 1), ("1 1", 1, 3), ("[]]", 1, 3),
            ("/* a */ 1", 1, 1), ("1\u{feff}", 1, 2), ("[\n1,\n  é]", 3, 3),
        ]
        for (text, line, column) in faults {
            let error = fault(text)
            #expect(
                error?.line == line && error?.column == column, "\(text): \(error.map { "\($0)" } ?? "none")")
        }
    }

    @Test func aDocumentThatIsTooDeepIsAFault() throws {
        let deepest = JSONValue.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(deepest))
        #expect(fault(nested(deepest + 1)) != nil && fault(nested(100_000)) != nil)
        #expect(fault(String(repeating: "{\"a\":", count: 100_000)) != nil)
    }

    // MARK: - Any text

    private func document(_ depth: Int, _ seed: inout Seeded) -> JSONValue {
        let texts = ["", "a", "é\u{301}", "😀", "\0", "\u{1f}\"\\/", "a long text with a name"]
        switch Int.random(in: 0...(depth > 3 ? 3 : 5), using: &seed) {
        case 0: return .null
        case 1: return .bool(.random(using: &seed))
        case 2: return .number(["0", "-1", "0.5", "12e3", "1.25E-2"].randomElement(using: &seed)!)
        case 3: return .string(texts.randomElement(using: &seed)!)
        case 4:
            return .array((0..<Int.random(in: 0...4, using: &seed)).map { _ in document(depth + 1, &seed) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...20, using: &seed) {
                let key = texts.randomElement(using: &seed)! + "\(Int.random(in: 0...30, using: &seed))"
                object[key] = document(depth + 1, &seed)
            }
            return .object(object)
        }
    }

    /// What is written is read again; and of texts that are broken somewhere this takes those that another
    /// parser takes, and no others.
    @Test func anyDocumentIsReadAndABrokenOneIsAFaultWhereItIsElsewhere() throws {
        for number in 0..<2000 as Range<UInt64> {
            var seed = Seeded(state: number &* 15_485_863)
            let value = document(0, &seed)
            let text = Bool.random(using: &seed) ? value.compactText : value.prettyText()
            #expect(try JSONValue(parsing: text) == value, "seed \(number)")
            var scalars = Array(text.unicodeScalars)
            let others = Array("{}[]:,\"\\ue1-.0tn \n\u{1}é".unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &seed) {
                let place = Int.random(in: 0..<scalars.count, using: &seed)
                switch Int.random(in: 0..<3, using: &seed) {
                case 0 where scalars.count > 1: scalars.remove(at: place)
                case 1: scalars.insert(others.randomElement(using: &seed)!, at: place)
                default: scalars[place] = others.randomElement(using: &seed)!
                }
            }
            var broken = ""
            broken.unicodeScalars.append(contentsOf: scalars)
            let isTaken = fault(broken) == nil
            let elsewhere = try? JSONSerialization.jsonObject(
                with: Data(broken.utf8), options: [.fragmentsAllowed])
            // Foundation lets a comma end a list.
            let endsInComma = broken.contains(/,[ \n]*\]/)
            #expect(isTaken == (elsewhere != nil) || endsInComma && !isTaken, "seed \(number): \(broken)")
        }
    }
}
