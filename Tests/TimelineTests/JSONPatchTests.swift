import JSON
import Testing

@Suite struct JSONPatchTests {
    /// A value of a few levels, whose lists and objects share parts with others.
    private func value(_ random: inout SystemRandomNumberGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
        case 0: return .number(Int.random(in: 0..<3, using: &random))
        case 1: return .string("\(Int.random(in: 0..<3, using: &random))")
        case 2: return .null
        case 3, 4:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(&random, depth: depth - 1) })
        default:
            var object = JSONObject()
            for key in ["a", "b", "c"] where Bool.random(using: &random) {
                object[key] = value(&random, depth: depth - 1)
            }
            return .object(object)
        }
    }

    private func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            a.fields.count == b.fields.count
                && a.fields.allSatisfy { key, value in b[key].map { isSame(value, $0) } ?? false }
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
        default: a == b
        }
    }

    @Test func aPatchMakesTheOtherOfAnyTwoValues() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let (old, new) = (value(&random, depth: 4), value(&random, depth: 4))
            let patch = try JSONValue(parsing: old.patch(to: new).compactText)
            let made = try #require(old.patched(by: patch), "\(old.compactText) \(new.compactText)")
            #expect(isSame(made, new), "\(old.compactText) \(new.compactText) \(patch.compactText)")
        }
    }

    @Test func aListThatGrowsIsNotSaidAgain() {
        let old = JSONValue.array((0..<1000).map { .number($0) })
        let new = JSONValue.array((0..<1001).map { .number($0) })
        #expect(old.patch(to: new).compactText.utf8.count < 80)
    }

    @Test func aPatchOfAnotherValueIsRefused() {
        let patch = JSONValue.array([1, 2, 3].map { .number($0) }).patch(to: [.null])
        #expect(
            JSONValue.array([.null]).patched(by: patch) == nil && JSONValue.null.patched(by: patch) == nil)
        #expect(JSONValue.object([:]).patched(by: patch) == nil)
        let most = JSONValue.number(Int.max)
        let hostile = JSONValue.object(["of": .number(1), "first": most, "last": most, "items": .array([])])
        #expect(JSONValue.array([.null]).patched(by: hostile) == nil)
    }
}
