import Timeline

/// docs/osc.md: every address, from the table that the mixer reads messages by. `jmixctl help osc` prints it.
public enum OSCReference {
    public static var markdown: String {
        before + "\n" + table + "\n\n" + after
    }

    private static var table: String {
        let rows = Address.all.map {
            """
            | `\($0.path)` | \($0.arguments) | \($0.answer.isEmpty ? "" : "`\($0.answer)`") | \($0.summary) |
            """
        }
        return (["| address | with | answers | what it is |", "| --- | --- | --- | --- |"] + rows).joined(
            separator: "\n")
    }

    private static let before = """
        # OSC

        The mixer listens on one port (7770 unless told), UDP and TCP; over TCP packets are framed by their
        length or as SLIP. It binds 127.0.0.1 unless `--osc-bind` says otherwise; `--osc-allow
        192.168.1.0/24` says who may talk. This page is `jmixctl help osc`; the mixer itself answers `/help
        [ADDRESS]`.

        An address without arguments asks; the answer comes to the sender, at the same address. With
        arguments it sets. What is refused, and a message whose arguments cannot be read, answers `/error
        ,ss ADDRESS REASON` and changes nothing; what is done but for a part of it, or does more than it
        says, answers `/note ,s WHAT` too. Whoever subscribes to anything is told by `/notice ,ss LEVEL
        TEXT` what the log is told from warnings on. N is a strip's number from 1 among its kind, its name,
        or an OSC pattern (`?` `*` `[]` `{}`) over both; behind `/track` a name may be that of a bus or a
        DCA too. `/strip/STRIP/...` means one strip of any kind; a pattern in its place means all that
        match, except the master. What is asked by a pattern or by `/strip` is answered at the addresses
        with the strips' numbers. BUS is a bus in the same way, STRIP a name, a track's number, `bus:1`,
        `dca:1` or `master`. Other parts of an address may be patterns too: then every matching address that
        holds a value is set or asked, and nothing is played, removed or saved. A packet without type tags
        asks.

        A number may be `i`, `h`, `f` or `d`; a switch is `T` or `F`, or a number 1 or 0. V is a volume:
        linear, 0 to 4, or a string such as `-6dB`. TIME and DURATION are a string (`2s` `500ms` `1:30`
        `96000/48000` `96000f`), a number of seconds (to the nearest frame), or an `h` of frames. PLACE is a
        TIME, or `here`, where the playhead stands, `+5s` or `-5s` from there, the name of a marker, or
        `end`, where the last clip ends. FILE, NAME, PATTERN, ADDRESS are strings; CURVE is `linear`,
        `scurve`, `equalpower` or `exponential`; TARGET is a track or a bus, UNDER a track.

        """

    private static let after = """
        A fader's position follows the law of Ardour's faders: position = ((6 log2 V + 192) / 198)^8.

        ## Subscriptions

        `/subscribe` sends changes to the address and port it came from (or down its TCP connection), for 10
        s; send it again to renew. PATTERN is an OSC pattern over whole addresses, such as `/track/*/volume`
        or `/*/*/meter`; without one everything comes: the settings of all strips and sends, these by the
        names of their buses, the transport, meters and position. The present state comes first. Each value
        comes at most HZ times a second, the last one always; many at once come as a bundle. Meters come HZ
        times a second, and without HZ as they change. A change is not echoed to its author.

        ## A finger on a fader

        While a controller holds `/track/N/volume/touch`, what would move that fader is refused to others,
        and a fade that moves it ends. What moves others too, as a scene or a pattern does, moves those and
        leaves this one; a `/note` names it. A touch ends when its owner says so, closes its connection, or
        has sent nothing for 10 s. `/panic` silences the sum of all whoever holds what.

        ## Bundles

        Messages of a bundle are carried out in order and take effect at one frame. With a time tag that
        lies ahead, that is the frame which JACK's clock gives the moment: each message is handed to the
        audio thread a period and 20 ms before. What is set at once for the same fader within that moment
        takes its place. A locate or an edit that needs files read takes effect then or as soon as they are
        read; with `--transport jack`, play, stop and locate are the server's to time. A time that is past
        means at once. `/clear` forgets what is pending, whoever sent it.

        ## Limits

        Files must lie under the session's folder or a `--media` folder, links followed. At most 64 TCP
        connections: beyond them the one that has been idle longest makes room. A peer that does not fetch
        its answers is not asked on. What waits for a disk (adding, saving, loading) is answered when the
        disk has; what the same peer says behind it waits for that, others do not. Times lie within a
        million hours, a loop lasts at least 1 ms. At most 256 subscriptions a peer, 1024 in all, 10,000
        pending messages, \(Session.maximumTracks) tracks, \(Session.maximumBuses) buses,
        \(Session.maximumDCAs) DCAs, \(Session.maximumSends) sends a strip, \(Session.maximumClips) clips,
        \(Session.maximumEvents) points and ramps, \(Scene.maximum) scenes, \(Marker.maximum) markers,
        \(PortLink.maximum) connections, names of 100 bytes. An answer too long for a datagram is refused
        over UDP and given over TCP, where `jmixctl` then asks for it.

        ## JackMiniMix

        Clients of JackMiniMix find its namespace, `/mixer/...`: channels are tracks, gains are in dB, -90
        is silence.

        """
}
