import JSON
import OSC
import Timeline

/// A kind of answer, whatever its values are.
package protocol AnyAnswerKind: Sendable {
    /// The address; for an answer about a strip the part behind the strip's address.
    var path: String { get }
    /// What its value is called in JSON.
    var key: String { get }
    /// The OSC types of what it says.
    var types: String { get }
    /// What JSON says: the document, or the fields beside the strip.
    var schema: JSONSchema { get }

    /// True: the value is the whole JSON document. False: it is an object of fields.
    var isDocument: Bool { get }

    func content(_ value: any Equatable & Sendable) -> AnswerContent
    /// - Returns: nil for what is no such answer.
    func read(_ place: StripPlace?, _ arguments: [OSCArgument]) -> Answer?
    /// As a person reads it.
    func lines(_ value: any Equatable & Sendable) -> [String]
    /// As a script reads it; nil: as the document that it is.
    func fields(_ value: any Equatable & Sendable) -> JSONObject?
}
