import Testing

import Dialects

/// Against the tables of the "Unofficial X32/M32 OSC Remote Protocol".
@Suite struct WireScaleTests {
    @Test(arguments: [
        (1.0, 10.0), (0.75, 0), (0.5, -10), (0.25, -30), (0.0625, -60), (0.625, -5), (0.125, -50),
    ])
    func levels(_ position: Float, _ decibels: Double) {
        #expect(abs(WireScale.level.number(position) - decibels) < 1e-9)
        #expect(WireScale.level.part(decibels) == position)
    }

    @Test func theEndsOfLevels() {
        #expect(WireScale.level.number(0) == -.infinity)
        #expect(WireScale.level.gain(0.75) == 1 && WireScale.level.gain(0) == 0)
        #expect(WireScale.level.part(gain: 4) == 1 && WireScale.level.part(gain: 0) == 0)
        // Levels are kept as they are: unity is no step of 1023.
        #expect(WireScale.level.snapped(0.75) == 0.75)
    }

    @Test func frequenciesAndTimes() {
        let band = WireScale.logarithmic(20, 20_000, values: 201)
        #expect(abs(band.number(0.265) - 124.7) < 0.1 && abs(band.number(0.465) - 496.6) < 0.1)
        let release = WireScale.logarithmic(5, 4000, values: 101)
        #expect(abs(release.number(0.51) - 151) < 1 && abs(release.number(0.59) - 258) < 1)
        let quality = WireScale.logarithmic(10, 0.3, values: 72)
        #expect(abs(quality.number(0.464789) - 2) < 0.05)
        let gain = WireScale.linear(-15, 15, step: 0.25)
        #expect(gain.number(0.5) == 0 && gain.steps == 120 && gain.part(7.5) == 0.75)
        #expect(gain.part(100) == 1 && gain.part(-100) == 0)
    }

    @Test func aTableIsReadAsItIsWritten() {
        let tree = ParameterTree(
            #"""
            /ch/{01..03}/mix /bus/{1,2}/mix | on=1 fader:level
                type:[IN/LC,<-EQ,\
                POST]=2,1,0
            /ch/{01..03}/config | name:text=a source:int=n+10 {A,B}:mask4
            """#)
        #expect(tree.nodes.map(\.path).prefix(3) == ["/ch/01/mix", "/ch/02/mix", "/ch/03/mix"])
        #expect(tree["/ch/02/mix"]?.leaves.map(\.name) == ["on", "fader", "type"])
        #expect(tree.leaf("/ch/02/mix/type")?.standard == .int(1))
        #expect(tree.leaf("/ch/02/mix/type")?.kind == .choice(["IN/LC", "<-EQ", "POST"]))
        #expect(tree.leaf("/ch/03/config/source")?.standard == .int(13))
        #expect(tree.leaf("/bus/2/mix/on")?.standard == .int(1))
        #expect(tree["/ch/01/config"]?.leaves.map(\.name) == ["name", "source", "A", "B"])
        #expect(tree.leaf("/ch/04/mix/on") == nil && tree.leaf("nothing") == nil)
        #expect(tree.first(below: "/ch/01")?.path == "/ch/01/mix")
    }
}
