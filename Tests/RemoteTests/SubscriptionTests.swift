import OSC
import Remote
import Testing

@Suite struct SubscriptionTests {
    private func values(_ tracks: Int, _ change: (inout [OSCMessage]) -> Void = { _ in }) -> [OSCMessage] {
        var values = (1...tracks).flatMap {
            [OSCMessage("/track/\($0)/volume", .float(1)), OSCMessage("/track/\($0)/mute", .int32(0))]
        }
        change(&values)
        return values
    }

    private func news(_ subscription: inout Subscription, _ board: inout ValueBoard) -> [OSCMessage] {
        subscription.news(on: &board).map { board.messages[$0] }
    }

    @Test func everythingFirstThenOnlyWhatChanged() throws {
        var board = ValueBoard()
        var one = try Subscription(pattern: "/track/*/volume", rate: 30)
        board.update(values(3))
        #expect(
            news(&one, &board).map(\.address) == ["/track/1/volume", "/track/2/volume", "/track/3/volume"])
        #expect(news(&one, &board).isEmpty)
        board.update(values(3) { $0[2].arguments = [.float(0.5)] })
        board.update(values(3) { $0[2].arguments = [.float(0.25)] })
        #expect(news(&one, &board) == [OSCMessage("/track/2/volume", .float(0.25))])
    }

    @Test func aPeersOwnValueIsNoNewsUnlessItTurnsOutOtherwise() throws {
        var board = ValueBoard()
        var one = try Subscription(pattern: "*", rate: 30)
        board.update(values(1))
        _ = news(&one, &board)
        one.knows(OSCMessage("/track/1/volume", .float(0.5)))
        board.update(values(1) { $0[0].arguments = [.float(0.5)] })
        #expect(news(&one, &board).isEmpty)
        one.knows(OSCMessage("/track/1/volume", .float(0.7)))
        board.update(values(1) { $0[0].arguments = [.float(0.6)] })
        #expect(news(&one, &board) == [OSCMessage("/track/1/volume", .float(0.6))])
        board.update(values(1) { $0[0].arguments = [.float(0.7)] })
        #expect(
            news(&one, &board) == [OSCMessage("/track/1/volume", .float(0.7))],
            "what another has set since is news")
    }

    @Test func aPeersValueThatAnotherPutBackIsNews() throws {
        var board = ValueBoard()
        var (author, other) = (
            try Subscription(pattern: "/track/2/*", rate: 30), try Subscription(pattern: "*", rate: 30)
        )
        board.update(values(3))
        (_, _) = (news(&author, &board), news(&other, &board))
        author.knows(OSCMessage("/track/2/volume", .float(0.5)))
        author.knows(OSCMessage("/track/3/volume", .float(0.5)))
        board.update(values(3))
        #expect(news(&author, &board) == [OSCMessage("/track/2/volume", .float(1))])
        #expect(news(&other, &board).isEmpty, "it was told of neither")
        #expect(news(&author, &board).isEmpty, "once")
    }

    @Test func tracksThatComeAndGoAreNewsAndTheOthersAreNot() throws {
        var board = ValueBoard()
        var one = try Subscription(pattern: "*", rate: 30)
        board.update(values(2))
        _ = news(&one, &board)
        board.update(values(3) { $0[0].arguments = [.float(0.5)] })
        #expect(
            news(&one, &board).map(\.address) == ["/track/1/volume", "/track/3/volume", "/track/3/mute"],
            "what has changed as others came is news too")
        board.update(values(1) { $0[0].arguments = [.float(0.5)] })
        #expect(news(&one, &board).isEmpty)
        board.update(values(2) { ($0[0].arguments, $0[3].arguments) = ([.float(0.5)], [.int32(1)]) })
        #expect(news(&one, &board).map(\.address) == ["/track/2/volume", "/track/2/mute"])
    }

    @Test func aSubscriptionIsAboutTheStripsOfItsAddresses() throws {
        let strips = ["/track/1", "/track/12", "/bus/1", "/master"]
        func about(_ pattern: String) throws -> [String] {
            strips.filter(try Subscription(pattern: pattern, rate: 30).isAbout)
        }
        #expect(
            try about("*") == strips && about("/*/*/*") == ["/track/1", "/track/12", "/bus/1", "/master"])
        #expect(try about("/track/{1,2}/volume") == ["/track/1"])
        #expect(try about("/track/*/send/*/pan") == ["/track/1", "/track/12"])
        #expect(
            try about("/master/*") == ["/master"] && about("/transport/*") == [] && about("/track/1") == [])
        var single = Subscription()
        single.listen(to: "/track/12/pan")
        #expect(strips.filter(single.isAbout) == ["/track/12"])
        // What one has not listened to for a while one does not know.
        var board = ValueBoard()
        board.update([OSCMessage("/track/12/pan", .float(0.5))])
        #expect(news(&single, &board).count == 1 && news(&single, &board).isEmpty)
        single.ignore("/track/12/pan")
        single.listen(to: "/track/12/pan")
        #expect(news(&single, &board).count == 1)
        // Whatever it matches lies in a strip that it is about.
        for pattern in ["/t*/1?/m*", "/*/1/volume/db", "/{bus,master}/*", "/track/[0-9]/mute"] {
            let one = try Subscription(pattern: pattern, rate: 30)
            for strip in strips {
                for control in ["mute", "volume/db", "send/hall/pan"] where one.matches("\(strip)/\(control)")
                {
                    #expect(one.isAbout(strip), "\(pattern) \(strip)")
                }
            }
        }
    }

    @Test func aPacketIsThatOfThePresentValue() {
        var board = ValueBoard()
        board.update(values(1))
        #expect(board.packet(0) == OSCMessage("/track/1/volume", .float(1)).packet)
        board.update(values(1) { $0[0].arguments = [.float(0.5)] })
        #expect(board.packet(0) == OSCMessage("/track/1/volume", .float(0.5)).packet)
    }
}
