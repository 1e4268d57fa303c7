import Testing
import Timeline

import Dialects

@Suite struct MIDIReaderTests {
    @Test func messagesAreReadAsTheyWereWritten() {
        let messages: [MIDIMessage] = [
            .note(channel: 3, key: 60, velocity: 100), .controller(channel: 15, number: 7, value: 127),
            .program(channel: 0, number: 4), .pressure(channel: 1, value: 9), .bend(channel: 8, value: 16383),
            .exclusive([0, 0, 0x66, 0x14, 0x12, 0, 0x41]),
        ]
        for message in messages { #expect(MIDIMessage(message.bytes) == message) }
        #expect(MIDIMessage([0x83, 60, 64]) == .note(channel: 3, key: 60, velocity: 0))
    }

    @Test(
        arguments: [
            [], [0x40], [0x90], [0x90, 60], [0x90, 60, 0x80], [0x90, 60, 1, 2], [0xF8], [0xF0], [0xF0, 1],
            [0xF0, 0x90, 0xF7], [0xF7],
        ] as [[UInt8]])
    func bytesThatAreNoMessageAreSkipped(_ bytes: [UInt8]) {
        #expect(MIDIMessage(bytes) == nil)
        var reader = MIDIReader()
        #expect(reader.read(bytes) == [])
    }

    @Test func pairsOfControllersGiveFourteenBits() {
        var reader = MIDIReader()
        #expect(reader.read([0xB0, 1, 100]) == [MIDIInput(.controller(channel: 1, 1), 100)])
        #expect(
            reader.read([0xB0, 33, 5]) == [
                MIDIInput(.controller(channel: 1, 33), 5),
                MIDIInput(.fineController(channel: 1, 1), 100 * 128 + 5),
            ])
        // Another channel has its own, of which the lower half alone says nothing.
        #expect(reader.read([0xB1, 33, 5]) == [MIDIInput(.controller(channel: 2, 33), 5)])
        #expect(
            reader.read([0xB1, 1, 2]).last == MIDIInput(.fineController(channel: 2, 1), 2 * 128 + 5))
    }

    @Test func parametersAreChosenAndSet() {
        var reader = MIDIReader()
        #expect(reader.read([0xB0, 6, 9]) == [MIDIInput(.controller(channel: 1, 6), 9)])
        #expect(reader.read([0xB0, 99, 2]) == [] && reader.read([0xB0, 98, 44]) == [])
        let source = MIDISource.parameter(channel: 1, 300)
        #expect(reader.read([0xB0, 6, 64]) == [MIDIInput(source, 64 * 128)])
        #expect(reader.read([0xB0, 38, 1]) == [MIDIInput(source, 64 * 128 + 1)])
        // None is chosen any more: 127 127, and a registered one.
        _ = [reader.read([0xB0, 99, 127]), reader.read([0xB0, 98, 127])]
        #expect(reader.read([0xB0, 6, 9]) == [MIDIInput(.controller(channel: 1, 6), 9)])
        _ = [reader.read([0xB0, 99, 2]), reader.read([0xB0, 101, 0])]
        #expect(reader.read([0xB0, 6, 9]) == [MIDIInput(.controller(channel: 1, 6), 9)])
    }

    @Test func theFourteenBitMessageCountsNotItsHalves() {
        var (reader, guess) = (MIDIReader(), MIDIGuess())
        for bytes: [UInt8] in [[0x90, 104, 127], [0xB0, 1, 3], [0xB0, 33, 9]] {
            guess.hear(reader.read(bytes), takesButtons: false, now: 0)
        }
        #expect(guess.outcome(now: 1) == nil)
        #expect(guess.outcome(now: 60_000_000) == .fineController(channel: 1, 1))
        #expect(guess.outcome(now: 120_000_000) == nil)
        guess.hear(reader.read([0x80, 60, 0]), takesButtons: true, now: 0)
        #expect(guess.outcome(now: 60_000_000) == nil, "a key that is let go was pressed before")
    }

    @Test func sourcesAreReadAsTheyWereWritten() {
        for text in ["cc 1 7", "cc14 16 31", "nrpn 3 16383", "note 10 0", "bend 2", "program 1 128"] {
            #expect(MIDISource(text)?.text == text)
        }
        for text in [
            "", "cc", "cc 0 1", "cc 17 1", "cc 1 128", "cc14 1 32", "bend", "bend 1 2", "program 1 0",
        ] {
            #expect(MIDISource(text) == nil)
        }
    }
}
