import CJack
import Timeline

extension JackClient {
    /// Frames between the mixer's ports and what is heard, as far as the server knows. The master's ports
    /// count; where none of them is connected, the connected ports of strips do.
    public var latency: Int {
        let masters = master.filter { jack_port_connected($0) > 0 }
        let heard =
            masters.isEmpty ? outputStrips.flatMap(outputs).filter { jack_port_connected($0) > 0 } : masters
        return heard.map { Int(LatencyPaths.range(of: $0, JackPlaybackLatency).max) }.max() ?? 0
    }

    /// Tells the server, and whoever asks it, which inputs are heard where.
    /// - Parameters:
    ///   - reach: for each track with an input all strips that it comes to; those without ports are left out.
    ///   - delays: by how many frames what comes in is late when it leaves a strip.
    public func setReach(_ reach: [StripID: Set<StripID>], _ delays: [StripID: Int]) {
        var next = LatencyPaths()
        let strips = outputStrips
        next.outputs = strips.flatMap { id in
            let others = reach.filter { $0.value.contains(id) }.keys.flatMap(inputs).map {
                ($0, delays[id] ?? 0)
            }
            return outputs(of: id).map { ($0, others) }
        }
        next.inputs = reach.flatMap { id, reached in
            let others = strips.filter(reached.contains).flatMap { strip in
                outputs(of: strip).map { ($0, delays[strip] ?? 0) }
            }
            return inputs(of: id).map { ($0, others) }
        }
        paths.withLock { [next] in $0 = next }
        recomputeLatencies()
    }

    /// Has the server ask all its clients anew how late they are.
    public func recomputeLatencies() { jack_recompute_total_latencies(client) }

    /// By how many frames an input of a track is later than the sound that it was played to: the latency of
    /// capture plus that of playback, as the server has them. For sound from the mixer itself it is one
    /// period plus the latency of the clients that it went through.
    public func latencies(ofInputs ids: [StripID]) -> [(StripID, Int)] {
        let heardLater = latency
        let all = Self.names(
            jack_get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue)))
        let others = Dictionary(grouping: all) { String($0.prefix { $0 != ":" }) }
        return ids.map { id in
            // Where some ports are connected, the others do not count.
            let (all, connected) = (inputs(of: id), inputs(of: id).filter { jack_port_connected($0) > 0 })
            let latencies = (connected.isEmpty ? all : connected).map {
                latency(ofInput: $0, heardLater, others)
            }
            return (id, latencies.max() ?? 0)
        }
    }

    /// - Parameters:
    ///   - heardLater: the way out.
    ///   - others: the ports of each client that something can come into.
    private func latency(
        ofInput port: OpaquePointer, _ heardLater: Int, _ others: [String: [String]]
    ) -> Int {
        let comesIn = Int(LatencyPaths.range(of: port, JackCaptureLatency).max)
        guard let source = ownSource(of: port, others) else { return comesIn + heardLater }
        return period + max(0, comesIn - Int(LatencyPaths.range(of: source, JackCaptureLatency).max))
    }

    /// The output of the mixer's that is heard at one of its inputs; nil if none is. Other clients are taken
    /// to play all that they hear.
    /// - Parameter others: the input ports of each client.
    private func ownSource(of port: OpaquePointer, _ others: [String: [String]]) -> OpaquePointer? {
        var (next, seen) = ([port], Set<String>())
        while let port = next.popLast() {
            for name in Self.names(jack_port_get_all_connections(client, port)) {
                guard let other = jack_port_by_name(client, name) else { continue }
                if jack_port_is_mine(client, other) != 0 { return other }
                let owner = String(name.prefix { $0 != ":" })
                if !seen.insert(owner).inserted { continue }
                next += (others[owner] ?? []).compactMap { jack_port_by_name(client, $0) }.filter {
                    jack_port_flags($0) & Int32(JackPortIsPhysical.rawValue) == 0
                }
            }
        }
        return nil
    }
}
