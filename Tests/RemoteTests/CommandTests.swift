import OSC
import Remote
import Testing
import Timeline

/// The one command that a message is.
private func only(_ message: OSCMessage) throws -> Command {
    let commands = try Command.commands(of: message)
    try #require(commands.count == 1)
    return commands[0]
}

@Suite struct CommandTests {
    /// What the table lists is there under the numbers of strips, sends and bands.
    @Test func everyAddressIsFound() {
        for address in Address.all {
            let path = address.path.split(separator: "/").map {
                ["N": "1", "BUS": "1", "BAND": "2"][$0] ?? String($0)
            }
            let said: String
            do throws(CommandError) {
                _ = try Command.commands(of: OSCMessage("/" + path.joined(separator: "/")))
                said = ""
            } catch {
                said = "\(error)"
            }
            #expect(
                !said.contains("no such address") && !said.contains(" has no "), "\(address.path): \(said)")
        }
    }

    /// Each line of the shell, the messages it becomes, and the command that the mixer reads from them: the
    /// same.
    @Test(arguments: [
        "volume 1", "volume 1 0.5", "volume music -6dB", "volume master 0.8", "volume 2 0.5 2s",
        "volume 2 0.5 96000f --replace",
        "ramp 2 0.5 0.8 2s 4s", "ramp 2 0.5 0.8 2s 1:30 --curve scurve --replace", "fade 1 0 3s",
        "fade master 0.1 500ms --curve exponential",
        "mute 1", "mute 1 on", "mute master off", "solo * off", "solo 3", "pan 1 -0.5", "pan 1", "name 1",
        "name 1 drums", "automation 2",
        "automation 2 clear", "automation 2 clear 1s 2s", "fadein 1 1s", "fadeout 1",
        "duck music --under voice --to 0.3",
        "duck music --under voice --to -inf --attack 1s --release 2s", "add a.flac", "add a.flac 12s",
        "insert 2 a.flac 1s",
        "insert 2 a.flac 1s --from 0.5s --duration 1/3", "insert 2 a.flac 1s --push",
        "insert 2 a.flac 1s --from 0.5s --push", "append 2 a.flac", "append 2 a.flac --from 1s --duration 2s",
        "append 2 a.flac --crossfade 2s", "append 2 a.flac --from 1s --crossfade 500ms --curve scurve",
        "append 2 a.flac b.flac --crossfade 1s", "append 2 folder/", "insert 2 a.flac 1s --crossfade 1s",
        "insert 2 a.flac 1s --from 1s --duration 2s --crossfade 1s --curve linear",
        "move 2 3 1s --crossfade 96000f", "clip 2 1 gain -6dB", "clip 2 1 gain +1dB",
        "clip 2 1 pitch --by -2", "clip 2 1 speed +0.1", "eq 2 --by 12 --of hpslope", "clip 2 1 remove",
        "clip 2 1 trim 1s 4.5s",
        "strip-silence 2", "strip-silence 2 --threshold -45dB",
        "strip-silence voice --threshold 0.02 --min 1s --pad 20ms", "fadein 2 --clip 3 1s",
        "fadeout 2 500ms --clip 1 --curve equalpower", "clips 2", "split 2 1:30", "move 2 3 1s",
        "move 2 3 1s --push", "repeat music 1 3", "repeat 2 1 3 --push", "silence 2 10s 500ms",
        "remove-range 2 1s 2s", "remove-range 2 1s 2s --gap",
        "automation 2 remove 3", "automation 2 move 1 4s --replace", "remove 3", "remove bus:1",
        "bus add reverb", "buses", "send voice reverb", "send voice reverb -6dB",
        "send voice bus:2 0.5 --pre",
        "send 1 reverb --matrix 1,0/0,0.5", "send 1 reverb -6dB --matrix standard",
        "send 1 reverb --pre --matrix 1/-0.25", "send 1 reverb 1 --post --matrix 0.7071067811865476,1e-05",
        "send 1 reverb --post", "send 1 reverb off",
        "sends voice", "dca add band", "dca add band drums bus:1", "dca band assign 3 reverb",
        "dca dca:1 unassign drums", "dcas", "solo-mode", "solo-mode pfl", "direct-outs", "direct-outs pre",
        "output 1 reverb",
        "output bus:1 none", "output 2",
        "trim 1 -3dB", "trim master", "polarity 1 on", "solo-safe reverb on", "volume bus:1 0.5",
        "volume dca:1 -6dB", "volume 1 -0.5 2s --of pan", "volume 1 on 2s --of mute --replace",
        "ramp reverb 0 1 1s 2s --of send/2/volume", "ramp master 0 1 0s 2s",
        "ramp 1 -1 1 0s 2s --of pan --curve scurve", "fade dca:1 0 3s", "fade 1 0.5 3s --of trim",
        "automation 1 --of pan", "fade 1 0 1s --of send/bus:2/pan",
        "automation bus:1 clear 1s 2s --of send/1/pan", "automation 1 remove 2 --of mute",
        "automation 1 move 2 3s --of send/reverb/volume --replace", "tracks", "play", "stop",
        "insert 2 a.wav here", "insert 2 a.wav +5s --push", "insert 2 a.wav end --from 1s", "add a.wav verse",
        "move 2 3 -96000f --crossfade 1s", "move 2 3 verse --push", "split 2 here", "locate here",
        "locate 1:02:03.25", "locate +5s", "locate intro", "marker list", "marker add intro",
        "marker add intro 1:30", "marker remove intro", "locate -96000f", "locate end", "volume 1 --by -1dB",
        "volume master --by 0.5", "stop-at-end", "stop-at-end on", "connect", "connect master_1 a:b",
        "disconnect master_1", "disconnect master_1 a:b", "loop", "loop 1s 2s", "loop on", "loop off",
        "status", "history", "scene list", "scene store verse", "scene recall verse", "scene recall verse 2s",
        "scene recall verse --only volume,mute",
        "scene recall verse 1s --only sends --strips music,bus:1,master", "scene recall verse --strips band",
        "scene remove verse", "sessions", "new", "collect tour", "missing", "relink a.wav b.wav", "video",
        "video off", "video film.mp4", "video film.mp4 2s", "video film.mp4 --from 1:30",
        "video film.mp4 96000f --from 1/3", "save", "save a", "load a", "undo", "redo",
        "eq 1", "eq 1 clear", "eq voice hp 80", "comp 1", "comp 1 off", "gate 1 clear", "limit master -1",
        "peaks", "peaks reset", "loudness", "loudness reset", "loudness 1 range", "spectrum 1", "record",
        "record off", "record loop", "input 1", "input 1 off", "input add mic a:b", "monitor source",
        "monitor mono on", "monitor 1 auto", "talkback 1", "talkback 1 --to stage", "soundcheck",
        "soundcheck on", "mutegroup", "mutegroup band on", "ducks", "midi", "midi remove 1", "automix 1",
        "automix 1 clear", "automix 1 mic out", "silenced", "panic", "panic off", "ports", "write 1",
        "write 1 touch",
    ])
    func theShellAndOSCSayTheSame(line: String) throws {
        let command = try Command(words: try LineWords.split(line))
        #expect(command.onlyAsks == Self.questions.contains(line), "what a guest may say")
        #expect(!command.messages.isEmpty)
        try checkIsTheSame(command)
    }

    /// The files on a disk that a line names, which the shell names in full and the mixer looks at.
    @Test(arguments: [
        ("add a.flac 2s", ["a.flac"]), ("insert 1 b.wav end --push", ["b.wav"]),
        ("append 2 c.wav", ["c.wav"]),
        ("append 2 a.wav b.wav --crossfade 1s", ["a.wav", "b.wav"]), ("relink old.wav new.wav", ["new.wav"]),
        ("video film.mp4 2s --from 1s", ["film.mp4"]), ("video off", []), ("video", []), ("name 1 a.wav", []),
        ("volume 1 0.5", []), ("save a.json", []),
    ])
    func filesOnADiskAreKnown(line: String, files: [String]) throws {
        let command = try Command(words: try LineWords.split(line))
        #expect(command.files.map(\.text) == files)
        let renamed = command.renamingFiles { "/full/\($0)" }
        #expect(renamed.files.map(\.text) == files.map { "/full/\($0)" })
        #expect((renamed == command) == files.isEmpty)
    }

    /// What only a mixer that plays carries out: the shell refuses it for a file.
    @Test(arguments: [
        "play", "stop 3s", "panic", "silenced", "locate 1:30", "loop", "loop 4s 8s", "loop on",
        "stop-at-end on", "position", "wait 2s", "wait until 4s", "record on", "ports", "connect", "status",
        "fade 1 0 3s", "fade 1 --by -3dB 2s", "scene recall soft 2s", "marker add here", "quit",
        "midi learn 1", "add a.flac here", "insert 1 a.flac +5s", "split 1 -2s", "move 2 3 here", "meters",
    ])
    func aMixerThatPlaysIsNeeded(line: String) throws {
        #expect(try Command(words: try LineWords.split(line)).needsMixer)
    }

    @Test(arguments: [
        "volume 1 0.5", "ramp 1 0 1 2s 4s", "scene recall soft", "marker add here 2s", "add a.flac",
        "add a.flac 2s", "insert 1 a.flac end", "split 1 2s", "move 2 3 +5s", "undo", "midi", "tracks",
        "connect master_1 system:playback_1", "input mic system:capture_1", "remove 1", "save evening",
    ])
    func aFileCanBeEditedBy(line: String) throws {
        #expect(!(try Command(words: try LineWords.split(line)).needsMixer))
    }

    /// The shell asks before several strips lose something.
    @Test(arguments: [
        ("remove '*'", true), ("automation '*' clear", true),
        ("automation '*' clear 1s 2s", true), ("automation '*' remove 3", true),
        ("remove-range '*' 1s 2s", true), ("strip-silence '*'", true), ("mute '*' on", false),
        ("volume '*' 0", false), ("split '*' 2s", false), ("automation '*' move 1 2s", false),
    ])
    func stripsThatLoseAreKnown(line: String, lose: Bool) throws {
        let losers = try Command(words: try LineWords.split(line)).stripsThatLose
        #expect(losers?.text == (lose ? "*" : nil))
    }

    /// Of these lines the ones that change nothing for anybody else.
    private static let questions: Set = [
        "volume 1", "mute 1", "solo 3", "pan 1", "name 1", "automation 2", "fadein 1", "fadeout 1", "clips 2",
        "buses", "send voice reverb", "sends voice", "dcas", "solo-mode", "direct-outs", "output 2",
        "trim master", "automation 1 --of pan", "tracks", "marker list", "stop-at-end", "connect", "loop",
        "status", "history", "scene list", "sessions", "missing", "video", "eq 1", "comp 1", "peaks",
        "loudness", "loudness 1 range", "spectrum 1", "record", "input 1", "monitor source", "talkback 1",
        "soundcheck", "mutegroup", "ducks", "midi", "automix 1", "silenced", "ports", "write 1",
    ]

    @Test func aReleaseAloneBringsTheDefaultAttackAlong() throws {
        let command = try Command(words: ["duck", "a", "--under", "b", "--to", "0.3", "--release", "2s"])
        #expect(
            try only(command.messages[0])
                == .duck(
                    .track(.name("a")), under: .track(.name("b")), to: 0.3, attack: .time(Duck.defaultTime),
                    release: .time(MediaTime(seconds: 2))))
    }

    @Test func numbersOfEveryTypeAreTaken() throws {
        for argument in [
            OSCArgument.int32(1), .float(1), .double(1), .int64(1), .string("1"), .string("0dB"),
        ] {
            #expect(
                try only(OSCMessage("/track/1/volume", argument))
                    == .set(.track(.number(1)), .volume, .number(1)))
        }
        #expect(
            try only(OSCMessage("/track/1/volume", .float(0.8)))
                == .set(.track(.number(1)), .volume, .number(0.8)))
        #expect(
            try only(OSCMessage("/track/*/mute", .bool(true)))
                == .set(.track(.pattern("*")), .mute, .flag(true)))
        #expect(try only(OSCMessage("/transport/locate", .int64(96000))) == .locate(.time(.frames(96000))))
        #expect(try only(OSCMessage("/transport/locate", .float(2.5))) == .locate(.time(.seconds(2.5))))
        #expect(
            try only(OSCMessage("/transport/locate", .string("1:30")))
                == .locate(.time(.time(MediaTime(seconds: 90)))))
    }

    @Test(arguments: [
        OSCMessage("/track/1/volume", .float(.nan)), OSCMessage("/track/1/volume", .float(.infinity)),
        OSCMessage("/track/1/volume", .float(-1)),
        OSCMessage("/track/1/volume", .float(4.1)), OSCMessage("/track/1/volume", .string("loud")),
        OSCMessage("/track/1/volume", .bool(true)),
        OSCMessage("/track/1/volume", .float(1), .float(1), .bool(true), .float(1)),
        OSCMessage("/track/1/volume", .other("b")),
        OSCMessage("/track/1/pan", .float(.nan)), OSCMessage("/track/1/pan", .string("left")),
        OSCMessage("/track/1/mute", .int32(2)),
        OSCMessage("/track/1/mute", .string("on")), OSCMessage("/track/1/ramp", .float(1)),
        OSCMessage("/track/1/ramp"),
        OSCMessage("/track/1/ramp", .float(0), .float(1), .string("x"), .string("2s")),
        OSCMessage("/track/1/fade", .float(1)),
        OSCMessage("/track/1/fade", .float(1), .float(-1)),
        OSCMessage("/track/1/fade", .float(1), .float(1), .string("wavy")),
        OSCMessage("/track/1"), OSCMessage("/track/1/"), OSCMessage("/track"), OSCMessage("/"),
        OSCMessage("/nothing"), OSCMessage("/track/add"),
        OSCMessage("/track/add", .int32(1)), OSCMessage("/transport/locate"),
        OSCMessage("/transport/locate", .float(.nan)),
        OSCMessage("/transport/locate", .int64(-1)), OSCMessage("/transport/loop", .float(2)),
        OSCMessage("/session/load"),
        OSCMessage("/duck", .string("a")), OSCMessage("/tracks", .int32(1)),
        OSCMessage("/transport/play", .int32(1), .int32(2)),
    ])
    func aMessageThatIsNoCommandIsRefused(message: OSCMessage) {
        #expect(throws: CommandError.self) { try Command.commands(of: message) }
    }

    @Test(
        arguments: [
            [], ["nothing"], ["volume"], ["volume", "1", "1", "2s", "3s"], ["ramp", "1", "0", "1", "2s"],
            ["ramp", "1", "0", "1", "2s", "3s", "--kurve", "x"],
            ["mute", "1", "perhaps"], ["pan", "1", "left"], ["duck", "1", "--to", "0.3"],
            ["duck", "1", "perhaps"], ["automation", "1", "wipe"], ["play", "now"], ["locate"],
            ["fade", "1", "0", "--curve"], ["volume", "1", "--by", "1dB", "--of", "pan"],
            ["send", "1", "a", "1", "--pre", "--post"], ["ramp", "1", "0", "1", "1s", "2s", "--of", "mute"],
            ["volume", "1", "1", "--of", "name"],
        ] as [[String]])
    func wordsThatAreNoCommandAreAUsageError(words: [String]) {
        let error = #expect(throws: CommandError.self) { try Command(words: words) }
        #expect(error?.isUsage == true)
    }

    @Test func linesAreSplitAsAShellWould() throws {
        #expect(try LineWords.split(#"name 1 "lead voice"  # a comment"#) == ["name", "1", "lead voice"])
        #expect(try LineWords.split(#"add a\ b.wav 'c d' """#) == ["add", "a b.wav", "c d", ""])
        #expect(throws: CommandError.self) { try LineWords.split("name 1 'open") }
    }

    @Test func everyVerbHasAnExampleThatIsOne() throws {
        for verb in Verb.all {
            let words = try LineWords.split(verb.example)
            #expect(words.first == verb.name)
            let command = try Command(words: words)
            // Who waits for a place asks where the playhead is, again and again.
            if verb.name != "wait" { try checkIsTheSame(command) }
        }
    }

    /// The messages that a command becomes, and the command that the mixer reads from them.
    private func checkIsTheSame(_ command: Command) throws {
        for message in command.messages {
            let packet = try OSCPacket(message.packet)
            #expect(packet.messages.map(\.message) == [message])
        }
        if let message = command.messages.first { #expect(try only(message) == command, "\(message)") }
    }

    @Test func noPacketCrashes() {
        var random = SystemRandomNumberGenerator()
        let seeds = [
            OSCMessage("/track/1/volume", .float(1), .string("abc"), .int64(5)).packet,
            Array("#bundle\0\0\0\0\0\0\0\0\u{1}\0\0\0\u{8}/abc\0\0\0\0".utf8),
        ]
        for _ in 0..<20_000 {
            var bytes = seeds.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            if let packet = try? OSCPacket(bytes) {
                for (_, message) in packet.messages { _ = try? Command.commands(of: message) }
            }
        }
    }
}
