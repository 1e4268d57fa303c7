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
        length or as SLIP. It binds 127.0.0.1 unless `--osc-bind` says otherwise. `--osc-allow 192.168.1.0/24`
        says who may talk; without it everyone who reaches the address may. This page is `jmixctl help osc`;
        the mixer itself answers `/help [ADDRESS]`.

        Without arguments the address of a value asks; the answer comes to the sender, at the same address.
        With arguments it sets, and gives no answer unless it fails; `/ping` tells when it is done. An address
        that acts, such as `/transport/play`, acts without arguments too. `[switch]` is a button: 1 or nothing
        presses it, 0 does nothing. In the column "with", `·` stands between alternatives, and what stands in
        `[ ]` may be left out. A word in small letters is sent as it stands; words in capitals stand for
        values. `T` there is the value true.

        A message that is refused, or whose arguments cannot be read, changes nothing and gives the answer
        `/error ,ss ADDRESS REASON`. A message that is carried out only in part, or that has a further effect,
        also gives `/note ,s WHAT`. Every subscriber also gets `/notice ,ss LEVEL TEXT` for each log message
        of level warning or above.

        N is the number of a strip within its kind, from 1, its name, or an OSC pattern (`?` `*` `[]` `{}`)
        for both. After `/track` the name of a bus or a DCA is valid too. `/strip/STRIP/...` means one strip
        of any kind; a pattern in its place means all that match, except the master. What is asked by a
        pattern or by `/strip` is answered at the addresses with the strips' numbers. BUS is the number or the
        name of a bus, or a pattern. STRIP is a name, the number of a track, `bus:1`, `dca:1` or `master`. A
        pattern in the place of N, BUS or STRIP acts on every strip that it matches, with `remove` too. In
        other parts of an address a pattern reaches only values, `by` and `fade`. A question by `*` gives no
        answer and no error if there is no such strip; any other pattern that matches no strip gives `/error`.
        A message without type tags counts as one without arguments. Setting a value of a processor that the
        strip does not have makes that processor, switched on; an automix that is made so is off. A slope of
        an equaliser needs its pass first.

        A number may be `i`, `h`, `f` or `d`; a switch is `T` or `F`, or a number 1 or 0. V is a volume:
        linear, 0 to 4, or a string such as `-6dB`. TIME and DURATION are a string (`2s` `500ms` `1:30`
        `96000/48000` `96000f`), a number of seconds (to the nearest frame), or an `h` of frames. PLACE is a
        TIME, or `here`, where the playhead stands, `+5s` or `-5s` from there, the name of a marker, or `end`,
        where the last clip ends. DELAY is a TIME, but no frames, or a distance in air such as `12m` or
        `40ft`. FILE, NAME, PATTERN, ADDRESS, PORT and LINE are strings. BAND is 1 to 4. CURVE is `linear`
        unless told, `scurve`, `equalpower` or `exponential`. Fades and crossfades of clips refuse
        `exponential`; a crossfade is `equalpower` unless told. FROM, LENGTH, ATTACK, RELEASE, MIN and PAD are
        DURATIONs. MATRIX is rows of gains, such as `1,0/0,1`. HZ is a number of times a second. TARGET is a
        track or a bus. UNDER is a track, or several with commas between; for a duck by signal UNDER is one
        track or bus. In a step of a gain a number is in dB. `+DB` is a string such as `+1dB`; `±f` is a
        string such as `-0.05`, which is added to the linear value.

        """

    private static let after = """
        A fader's position follows the law of Ardour's faders: position = ((6 log2 V + 192) / 198)^8, at most
        1.

        ## Subscriptions

        `/subscribe` sends changes to the address and port it came from (or down its TCP connection), for 10
        s; send it again to renew. PATTERN is an OSC pattern for whole addresses, such as `/track/*/volume` or
        `/*/*/meter`. Without a pattern the mixer sends everything: the settings of all strips and sends, the
        transport, the meters and the position. The address of a send contains the name of its bus. The
        present state comes first. Each value is sent at most HZ times a second, and its last state is always
        sent. Several values that are due together are sent as a bundle. Meters come HZ times a second, and
        without HZ as they change. A change is not echoed to its author.

        ## A hand on a fader

        While a controller holds `/track/N/volume/touch`, the mixer refuses commands of other clients that
        would move that fader. A running fade of it ends. A command that moves several faders, such as a scene
        or a pattern, moves the other faders and leaves the held one. A `/note` names the held fader. A touch
        ends when its owner says so, closes its connection, or has sent nothing for 10 s. `/panic` silences
        the whole mix, even while clients hold faders.

        ## Bundles

        Messages of a bundle are carried out in order and take effect at one frame. If the time tag lies in
        the future, JACK's clock gives the frame for that time. Each message is handed to the audio thread one
        period and 20 ms before its time. A value for the same fader that is sent without a time tag in this
        interval replaces the waiting one. A locate or an edit that has to read files takes effect at that
        frame, or as soon as they are read. With `--transport jack` the JACK server determines when play, stop
        and locate take effect. A time tag in the past means at once. `/clear` and `/panic` drop all messages
        whose time has not come, of every client.

        ## Limits

        Files must lie under the session's folder or a `--media` folder, links followed. There are at most 64
        TCP connections. A new one takes the place of the one that has been idle longest, if that is at least
        1 s; else it is refused. A connection from elsewhere never displaces one from this computer. The mixer
        reads no further messages from a peer that does not read its answers. A command that waits for a disk
        (add, save, load) is answered when the disk is done. Later messages of the same peer wait for it,
        except stop, panic, subscribe, unsubscribe and touch; those of other peers do not wait. Times lie
        within a million hours. A loop lasts at least 1 ms, or 100 ms with `--transport jack`. At most 256
        subscriptions a peer, 1024 in all, 10,000 pending messages, \(Session.maximumTracks) tracks,
        \(Session.maximumBuses) buses, \(Session.maximumDCAs) DCAs, \(Session.maximumSends) sends a strip,
        \(Session.maximumClips) clips, \(Session.maximumEvents) points and ramps, \(Scene.maximum) scenes,
        \(Marker.maximum) markers, \(PortLink.maximum) connections, names of 100 bytes. An answer too long for
        a datagram is refused over UDP and given over TCP, where `jmixctl` then asks for it.

        ## JackMiniMix

        Clients of JackMiniMix find its namespace, `/mixer/...`: channels are tracks, gains are in dB, -90 is
        silence.

        """
}
