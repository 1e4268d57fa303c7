import Remote

/// Who carries out what the shell reads: a running mixer, or a session that is edited without one.
package protocol CommandTarget: AnyObject {
    /// Time goes by there: a script can wait.
    var isRunning: Bool { get }
    /// What a prompt begins with.
    func greeting() throws(CommandFailure) -> String
    /// Carries out `command`.
    /// - Returns: the answers, in their order.
    func run(_ command: Command) throws(CommandFailure) -> [Answer]
}

/// Why a command was not done.
package enum CommandFailure: Error {
    /// The mixer said no.
    case refused(String)
    /// There is nobody there, or nobody who answers.
    case noMixer(String)
}
