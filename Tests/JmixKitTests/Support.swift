import JmixPlayer

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
