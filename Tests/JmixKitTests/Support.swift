import Foundation
import JackDriver
import JmixPlayer
import Testing

func frames(_ n: Int) -> MediaTime { MediaTime(frame: Int64(n), rate: 48000) }

func range(_ start: Int, _ end: Int) -> TimeRange { TimeRange(start: frames(start), end: frames(end)) }

/// A player that is pulled, and plays from the beginning.
func playing(_ composition: Composition) async throws -> Player {
    let player = Player(composition, output: .offline)
    try await prepare(player)
    await player.play()
    return player
}

/// Waits until it can play; one that cannot says so by its status.
func prepare(_ player: Player) async throws {
    await player.prepare()
    while await player.status == .unknown { try await Task.sleep(for: .milliseconds(2)) }
}

/// A JACK server for a test alone; it ends with it.
final class OwnServer {
    private var server: PrivateServer

    init() throws { server = try PrivateServer(sampleRate: 48000, period: 256) }

    func stop() { server.stop() }

    deinit {
        stop()
        // A server that ends before its client leaves the client's semaphore behind.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
        where name.hasPrefix("jack_sem") && name.contains("_\(server.name)_") {
            unlink("/dev/shm/\(name)")
        }
    }

    /// A player on it that is prepared: the server takes clients a moment after it has started.
    func player(of composition: Composition) async throws -> Player {
        var player = Player(composition, output: .offline)
        for _ in 0..<250 {
            player = Player(composition, output: .jack(server: server.name))
            await player.prepare()
            guard case .failed = await player.status else { break }
            // One of the same name was killed a moment ago, and the system still shows it.
            if server.hasEnded {
                server = try PrivateServer(sampleRate: 48000, period: 256, from: server.number + 1)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        if case .failed(let reason) = await player.status { throw Failed(reason: reason) }
        return player
    }

    struct Failed: Error { let reason: String }
}
