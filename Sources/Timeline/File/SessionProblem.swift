import JSON

/// A fault, where it is, and what to do: one line of `jmix check`.
public struct SessionProblem: Equatable, Sendable, CustomStringConvertible {
    /// Such as "track 2, clip 1, from"; empty for the document as a whole.
    public let place: String
    /// What is wrong there.
    public let message: String
    /// What the strip, scene or marker that it lies in is called; nil where it lies in none.
    public private(set) var owner: String?
    /// Whose fault it is.
    public let kind: Kind

    /// What has to be mended.
    public enum Kind: Sendable {
        /// What the session says makes no sense.
        case document
        /// A file is not what the session takes it for.
        case file
        /// A file is not there, or may not be read.
        case missingFile
        /// The movie is not there, of which nothing is heard.
        case missingVideo
    }

    /// A fault at a place, as in "track 2, clip 1, file".
    public init(place: String, message: String, kind: Kind = .document) {
        self.place = place
        self.message = message
        self.kind = kind
    }

    /// The place, the message and, where it lies in something that has a name, that.
    public var description: String {
        let text = (place.isEmpty ? message : "\(place): \(message)").withoutControlCharacters
        return owner.map { "\(text) (in \(JSONValue.string($0).compactText))" } ?? text
    }

    /// The same of one that is put up with, and what becomes of it.
    public var withItsEffect: String {
        kind == .missingVideo ? description : "\(self); what of it cannot be played is left silent"
    }

    /// The same, in what is called so, where it does not lie in something else already. A name that no strip
    /// can have says nothing.
    package func within(_ name: String?) -> Self {
        var problem = self
        if owner == nil, let name, !name.isEmpty, name.utf8.count <= 100,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            problem.owner = name
        }
        return problem
    }
}

extension String {
    /// As one line, in which no control character stands: a file's name may hold any.
    fileprivate var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.flatMap { scalar in
                    scalar.properties.generalCategory == .control
                        ? Array(scalar.escaped(asASCII: true).unicodeScalars) : [scalar]
                }))
    }
}
