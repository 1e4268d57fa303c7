/// Ends the program with a message and a code.
package struct Failure: Error {
    package let message: String
    package let code: Int32

    package init(_ message: String, code: Int32 = 1) {
        self.message = message
        self.code = code
    }
}
