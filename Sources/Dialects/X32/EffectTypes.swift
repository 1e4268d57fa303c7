/// Which parameters of an effect are whole numbers, by the effect's name; all others travel from 0 to 1. As
/// the "Unofficial X32/M32 OSC Remote Protocol" has them ("Effects Parameters").
enum EffectTypes {
    /// The parameters from 1 that are whole numbers.
    static func wholes(_ effect: String) -> Set<Int> { table[effect] ?? [] }

    private static let table: [String: Set<Int>] = Dictionary(
        uniqueKeysWithValues: text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (String(words[0]), Set(words[1].split(separator: ",").compactMap { Int($0) }))
        })

    private static let text = """
        VREV 4,5
        VRM 13
        DLY 3,4,5
        3TAP 7,10,13,14,15
        4TAP 7,9,11,13,14,15
        DIMC 1,2,3,4,5,6,7
        FILT 5,7,13,14
        ROTA 7,8
        SUB 1,2,6,7
        D/RV 2
        D/CR 2
        D/FL 2
        MODD 2,8,9
        DES2 5,6
        DES 5,6
        P1A 1,4,8,10,11
        P1A2 1,4,8,10,11,12,15,19,21,22
        PQ5 1,3,5,7,9
        PQ5S 1,3,5,7,9,10,12,14,16,18
        LIM 7,8
        CMB 1,2,6,8,10,11,16,19,22,25,28,29
        CMB2 1,2,6,8,10,11,16,19,22,25,28,29,30,31,35,37,39,40,45,48,51,54,57,58
        FAC 1
        FAC1M 1,8
        FAC2 1,8
        LEC 1,4
        LEC2 1,4,6,9
        ULC 1,6
        ULC2 1,6,7,12
        ENH2 9,18
        ENH 9
        EXC2 7,14
        EXC 7
        EDI 1,2,3
        SON 1,5
        AMP2 9,18
        AMP 9
        """
}
