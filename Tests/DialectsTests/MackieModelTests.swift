import Remote
import Testing
import Timeline

import Dialects

/// A unit as it stands on a desk: it does what it is told, and hands move its faders.
private struct Unit {
    var faders = [Int](repeating: 0, count: 9)
    var lights: [Int: Int] = [:]
    var lines = [[UInt8]](repeating: [], count: 2)
    var rings = [Int](repeating: 0, count: 8)

    /// - Returns: the fader that it moves, if it does.
    mutating func take(_ bytes: [UInt8]) -> Int? {
        switch bytes[0] & 0xF0 {
        case 0xE0:
            faders[Int(bytes[0] & 0x0F)] = Int(bytes[2]) << 7 | Int(bytes[1])
            return Int(bytes[0] & 0x0F)
        case 0x90: lights[Int(bytes[1])] = Int(bytes[2])
        case 0xB0 where (0x30..<0x38).contains(bytes[1]): rings[Int(bytes[1]) - 0x30] = Int(bytes[2])
        case 0xF0 where bytes[5] == 0x12: lines[bytes[6] == 0 ? 0 : 1] = Array(bytes[7..<63])
        default: break
        }
        return nil
    }
}

/// Random hands on it and on the mixer, in any order; what the units show is compared with how things are, by
/// code that knows only what the documents say.
@Suite struct MackieModelTests {
    private static let second: UInt64 = 1_000_000_000

    @Test(arguments: 1...40)
    func unitsShowWhereControlsStand(_ seed: UInt64) throws {
        var dice = Dice(seed)
        let unitCount = Int.random(in: 1...3, using: &dice)
        let desk = PlainDesk(tracks: Int.random(in: 0...30, using: &dice), buses: 3, dcas: 2)
        var surface = MackieSurface(units: unitCount)
        var units = [Unit](repeating: Unit(), count: unitCount)
        /// Which faders hands are on, and where the strips begin.
        var (fingers, bank, now): (Set<Int>, Int, UInt64) = ([], 0, Self.second)
        /// Up to when a fader that was moved without a finger is left alone.
        var rests: [Int: UInt64] = [:]
        let shown = desk.strips.filter { $0 != .master }

        func strip(_ place: Int) -> StripPlace? {
            place == 1000 ? .master : shown.indices.contains(bank + place) ? shown[bank + place] : nil
        }

        func tell() {
            for unit in 0..<unitCount {
                for message in surface.news(unit: unit, desk, now: now) {
                    guard let fader = units[unit].take(message) else { continue }
                    let place = fader == 8 ? 1000 : unit * 8 + fader
                    #expect(!fingers.contains(place), "seed \(seed): a fader under a finger")
                    #expect((rests[place] ?? 0) <= now, "seed \(seed): a fader that moves")
                }
            }
        }

        for _ in 0..<300 {
            now += UInt64.random(in: 1_000_000...100_000_000, using: &dice)
            let unit = Int.random(in: 0..<unitCount, using: &dice)
            let fader = Int.random(in: 0...(unit == 0 ? 8 : 7), using: &dice)
            let place = fader == 8 ? 1000 : unit * 8 + fader
            func send(_ bytes: UInt8...) { surface.receive(bytes, unit: unit, desk, now: now) }
            switch Int.random(in: 0..<10, using: &dice) {
            case 0:
                send(0x90, fader == 8 ? 0x70 : 0x68 + UInt8(fader), 127)
                fingers.insert(place)
                rests[place] = nil
            case 1:
                send(0x90, fader == 8 ? 0x70 : 0x68 + UInt8(fader), 0)
                fingers.remove(place)
                rests[place] = nil
            case 2, 3:
                let value = Int.random(in: 0...16383, using: &dice)
                units[unit].faders[fader] = value
                rests[place] = now + 250_000_000
                send(0xE0 + UInt8(fader), UInt8(value & 127), UInt8(value >> 7))
                guard let strip = strip(place) else { break }
                let heard = desk.heardVolume(strip)
                let expected = FaderLaw.gain(position: Double(value) / 16383)
                let isReached =
                    abs(heard - expected) <= 1e-9 * max(1, expected) || desk.number(.volume, strip) == 4
                #expect(
                    isReached || desk.automation[strip] == 0, "seed \(seed): the hand moves what is heard")
            case 4:
                let row = [UInt8(0x08), 0x10].randomElement(using: &dice)!
                let control: Control = row == 0x10 ? .mute : .solo
                guard fader < 8, let strip = strip(place), let before = desk.value(of: control, strip) else {
                    break
                }
                send(0x90, row + UInt8(fader), 127)
                send(0x90, row + UInt8(fader), 0)
                #expect(desk.value(of: control, strip) == .flag(before == .flag(false)), "seed \(seed)")
            case 5 where unit == 0:
                let (key, way) = [
                    (UInt8(0x2E), -8 * unitCount), (0x2F, 8 * unitCount), (0x30, -1), (0x31, 1),
                ]
                .randomElement(using: &dice)!
                send(0x90, key, 127)
                // Hands stay where they are.
                if bank + way < shown.count, bank > 0 || way > 0 { bank = max(0, bank + way) }
            case 6:
                let strip = desk.strips.randomElement(using: &dice)!
                desk.values[PlainDesk.Key(strip: strip, control: .volume)] =
                    .number(Double.random(in: 0...2, using: &dice))
            case 7:
                let strip = desk.strips.randomElement(using: &dice)!
                desk.automation[strip] = [0, 1, Double.random(in: 0...1, using: &dice)].randomElement(
                    using: &dice)!
            case 8:
                // It was switched off, and on again: nobody is on its faders.
                surface.receive([0xF0, 0, 0, 0x66, 0x14, 1, 0, 0xF7], unit: unit, desk, now: now)
                units[unit] = Unit()
                fingers = fingers.filter { ($0 == 1000 ? 0 : $0 / 8) != unit }
            default: tell()
            }
        }
        // All hands go, and the units are told once more.
        for place in fingers {
            let (unit, fader) = place == 1000 ? (0, 0x70) : (place / 8, 0x68 + place % 8)
            surface.receive([0x90, UInt8(fader), 0], unit: unit, desk, now: now)
        }
        (fingers, rests) = ([], [:])
        now += Self.second
        tell()
        for unit in 0..<unitCount {
            for fader in 0..<(unit == 0 ? 9 : 8) {
                let place = fader == 8 ? 1000 : unit * 8 + fader
                let wanted = strip(place).map { FaderLaw.position(gain: desk.heardVolume($0)) } ?? 0
                #expect(abs(Double(units[unit].faders[fader]) - wanted * 16383) < 17, "seed \(seed)")
                if fader == 8 { continue }
                let isMuted = strip(place).map { desk.isOn(.mute, $0) } ?? false
                #expect(units[unit].lights[0x10 + fader] == (isMuted ? 127 : 0), "seed \(seed)")
                let name = strip(place).map { String("\($0)".prefix(6)) } ?? ""
                let cell = units[unit].lines[0][(fader * 7)..<(fader * 7 + 7)]
                #expect(String(decoding: cell, as: UTF8.self).drop { $0 == " " } == Substring(name.padded(7)))
            }
        }
    }

    @Test func aSurfaceThatIsGoneHoldsNoFader() {
        let desk = PlainDesk(tracks: 2)
        var surface = MackieSurface(units: 1)
        surface.receive([0x90, 0x68, 127], unit: 0, desk, now: 1)
        surface.receive([0x90, 0x70, 127], unit: 0, desk, now: 1)
        #expect(surface.isTouched && desk.holds.count == 2)
        surface.letGo(unit: 0, desk)
        #expect(!surface.isTouched && desk.holds.isEmpty)
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        isEmpty ? "" : self + String(repeating: " ", count: max(0, width - count))
    }
}
