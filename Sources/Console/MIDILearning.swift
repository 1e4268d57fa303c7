import Files
import JSON
import Realtime
import Remote
import Timeline

/// Somebody waits for the next MIDI message.
package struct MIDILearning {
    /// Another for each.
    package let number: Int
    let action: MIDIBinding.Action
    /// nil: the one that the message has unless told.
    package let mode: MIDIBinding.Mode?
    /// It moves a switch, or does something: keys and buttons are meant too.
    package let takesButtons: Bool
    let command: Command
    let client: ClientID?
    package let endsAt: UInt64
    let done: Console.Done
}
