import Exchange
import Testing

@Suite struct PictureRateTests {
    @Test(
        arguments: [
            ("25", "25"), ("24", "24"), ("23.976", "24000/1001"), ("23.98", "24000/1001"),
            ("29.97", "30000/1001"), ("59.94", "60000/1001"), ("30000/1001", "30000/1001"),
            ("12.5", "12500/1000"),
            ("240", "240"), ("1", "1"), ("50/2", "50/2"),
        ] as [(String, String)])
    func ratesAreReadAsPeopleWriteThem(text: String, rate: String) throws {
        #expect(try #require(PictureRate(parsing: text)).description == rate)
    }

    @Test(arguments: [
        "", "0", "-25", "25/0", "25/-1", "240.5", "1e9", "nan", "inf", "25 fps", "1/2/3", "0.5",
    ])
    func aTextThatIsNoRateIsRefused(text: String) { #expect(PictureRate(parsing: text) == nil) }
}
