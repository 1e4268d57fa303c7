import Remote
import Shell
import Testing

@Suite struct VerbHelpTests {
    /// The list of verbs fits a terminal of 80 characters.
    @Test func eachVerbIsSaidInALine() {
        for verb in Verb.all {
            #expect(!verb.line.isEmpty && verb.line.count <= 60, "\(verb.name): \(verb.line)")
            #expect(Verb.named(verb.name)?.group == verb.group)
        }
        #expect(Set(Verb.all.map(\.group)).count == VerbGroup.allCases.count)
    }
}
