import Timeline

/// A verb that is written otherwise than the fields of its command: of the session and its files.
extension Verb {
    static let collect = Verb(
        .session, "collect FOLDER", "copy the session and all its files to a new folder",
        example: "collect tour"
    ) { words throws(CommandError) in
        .collect(try words.word("the folder"))
    }
}
