import Engine
import Files
import Remote
import TestSupport
import Testing
import Timeline

/// Random verbs of a desk, sensible and not: what is refused changes nothing, what is done can be taken back
/// and made again, and what is kept is read as it was.
@Suite struct DeskTests {
    private static let strips = [
        "1", "t0", "t1", "a", "b", "c", "d", "all", "bus:1", "bus:2", "dca:1", "master", "*", "bus:*", "9",
        "nobody", "bus:9",
    ]

    private static func line(_ random: inout Seeded) -> String {
        func pick(_ words: [String]) -> String { words.randomElement(using: &random)! }
        let (strip, other, bus) = (
            pick(strips), pick(strips), pick(["a", "b", "c", "1", "2", "bus:1", "9", "*"])
        )
        let (volume, pan, switchWord) = (
            pick(["0", "1", "0.5", "-6dB", "4", "5", "-inf"]), pick(["-1", "0", "0.25", "2"]),
            pick(["on", "off"])
        )
        let (time, later) = (pick(["0s", "0.5s", "1s"]), pick(["1.5s", "2s", "0.1s"]))
        let control = pick([
            "", "", " --of pan", " --of trim", " --of mute", " --of send/\(bus)/volume",
            " --of send/\(bus)/pan", " --of send/\(bus)/mute", " --of nothing",
        ])
        let value = control.contains("mute") ? switchWord : control.contains("pan") ? pan : volume
        switch Int.random(in: 0..<32, using: &random) {
        case 0, 1: return "bus add \(pick(["a", "b", "c", "d", "t0", "master", "x:y", "x-y"]))"
        case 2: return "dca add \(pick(["all", "some", "a"])) \(strip) \(other)"
        case 3: return "dca \(pick(["all", "some", "dca:1", "a"])) \(pick(["assign", "unassign"])) \(strip)"
        case 4, 5, 6: return "send \(strip) \(bus) \(volume)\(pick(["", "", " --pre", " --post"]))"
        case 7: return "send \(strip) \(bus) \(pick(["off", "--pre", "--post"]))"
        case 8, 9:
            return
                """
                output \(strip) \
                \(pick(["a", "b", "c", "bus:1", "bus:2", "master", "none", "ports", "t0", "1"]))
                """
        case 10: return "remove \(strip)"
        case 11: return "name \(strip) \(pick(["a", "b", "lead", "x:z", "none", "t9"]))"
        case 12: return "trim \(strip) \(volume)"
        case 13: return "polarity \(strip) \(switchWord)"
        case 14: return "solo \(strip) \(switchWord)"
        case 15: return "solo-safe \(strip) \(switchWord)"
        case 16: return "solo-mode \(pick(["in-place", "afl", "pfl", "loud"]))"
        case 17: return "volume \(strip) \(value)\(control)"
        case 18: return "volume \(strip) \(value) \(time)\(control)\(pick(["", " --replace"]))"
        case 19:
            return
                """
                ramp \(strip) \(value) \(value) \(time) \
                \(later)\(control)\(pick(["", " --replace", " --curve exponential"]))
                """
        case 20:
            return "automation \(strip) \(pick(["clear", "clear 0s 1s", "remove 1", "move 1 1s"]))\(control)"
        case 21: return "fade \(strip) \(value) 1s\(control)"
        case 22:
            let parts = ["recall x --only pan,sends", "recall x --strips \(strip)", "recall x 1s"]
            return "scene \(pick(["store x", "recall x", "remove x"] + parts))"
        case 23:
            return
                """
                connect \(pick(["master_1", "a_2", "t0_1", "monitor_1", "nobody_1"])) \
                \(pick(["x:y", "x:*", "nothing"]))
                """
        case 25, 26:
            return
                """
                input add \(pick(["mic", "keys", "a", "t0", "b_in", "x:y"])) \
                \(pick(["", "", "s:1", "s:1 s:2", "s:1 s:2 s:3", "--stereo", "nothing", "s:[a"]))
                """
        case 27:
            return
                "input \(pick([strip, "mic", "keys"])) \(pick(["off", "s:1", "s:1 s:2", "--stereo", "s:*"]))"
        case 28: return "arm \(pick([strip, "mic"])) \(switchWord)"
        case 29: return "monitor \(pick([strip, "mic"])) \(pick(["auto", "input", "clips", "both"]))"
        case 30:
            return
                """
                \(pick(["connect", "connect", "disconnect"])) \
                \(pick(["mic_in_1", "mic_in_2", "keys_in_1", "t0_in_1"])) \(pick(["s:1", "x:y", "nothing"]))
                """
        case 24: return "duck \(strip) --under \(other) --to \(volume)"
        default: return "mute \(strip) \(switchWord)"
        }
    }

    @Test func randomVerbsAreUndoneRedoneAndKept() throws {
        var done = 0
        for seed in UInt64(1)...40 {
            var random = Seeded(state: seed)
            let desk = try Desk(tracks: 2)
            var states = [desk.console.session]
            // Most find something to work on.
            let first = ["bus add a", "bus add b", "dca add all t0", "send t1 a 0.5", "bus add c"].prefix(
                Int.random(in: 0...5, using: &random))
            for number in 0..<60 {
                let line = number < first.count ? first[number] : Self.line(&random)
                let before = desk.console.session
                if (try? desk.run(line)) == nil {
                    #expect(
                        desk.console.session == before,
                        "seed \(seed): \(line) was refused, and changed something")
                }
                let session = desk.console.session
                if session == before { continue }
                done += 1
                states.append(session)
                let reading = SessionFile.read(SessionFile.text(session))
                #expect(reading.problems == [], "seed \(seed): \(line)")
                #expect(
                    reading.session.map { SessionFile.text($0) } == SessionFile.text(session),
                    "seed \(seed): \(line)")
                #expect(
                    Routing(session).loop == nil
                        && Set(session.strips.map(\.name)).count == session.strips.count,
                    "seed \(seed): \(line)")
            }
            // Steps of one sweep are one; those that undo leads back through are states that there were.
            while (try? desk.run("undo")) != nil {
                #expect(states.contains(desk.console.session), "seed \(seed)")
            }
            #expect(desk.console.session == states.first, "seed \(seed)")
            while (try? desk.run("redo")) != nil {
                #expect(states.contains(desk.console.session), "seed \(seed)")
            }
            #expect(desk.console.session == states.last, "seed \(seed)")
        }
        #expect(done > 300, "\(done) of 2400 changed anything")
    }
}
