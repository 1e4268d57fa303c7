import AudioFile
import Engine
import Files
import Speakers
import Timeline

/// Tracks of clips with their volumes: what AVMutableComposition and AVMutableAudioMix are together.
///
/// A value: a copy is a snapshot that stays as it is whatever becomes of the original. Times are exact; clips
/// are placed at the nearest frame. Every call that can fail throws and then has changed nothing.
public struct Composition: Sendable {
    /// The document: what is saved, and what `jmix run` plays.
    public private(set) var session: Session
    /// The folder that relative names of files start from.
    public let folder: String
    /// What its files were found to be when it was read.
    private var files: [SoundPlace: MediaFinding] = [:]
    private var sources: [String: CallbackSource] = [:]
    package private(set) var taps: [StripID: TrackTap] = [:]

    /// An empty one.
    /// - Parameters:
    ///   - sampleRate: frames per second, 8000 to 384000.
    ///   - folder: the folder that relative names of files start from.
    public init(sampleRate: Int32 = 48000, folder: String = ".") throws(CompositionError) {
        guard Session.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
        session = Session()
        session.sampleRate = sampleRate
        self.folder = folder
    }

    /// That of a session's file.
    /// - Throws: `.problems` that name every fault with its place; missing files are faults too.
    public init(contentsOf path: String) throws(CompositionError) {
        folder = Path.folder(of: path)
        let reading: SessionFile.Reading
        do throws(FileError) { reading = SessionFile.read(try AtomicFile.read(path)) } catch {
            throw .file(error)
        }
        let library = MediaLibrary(folder: folder)
        if let session = reading.session { library.makeReady(session) }
        let problems =
            reading.problems + (reading.session.map { SessionCheck.problems($0, library: library) } ?? [])
        guard let session = reading.session, problems.isEmpty else { throw .problems(problems) }
        self.session = session
        files = library.known
    }

    /// Saves it as a session's file, in place of what is there. Names of files that would not lead from there
    /// where they lead now are written so that they do. Sources that are closures have no file, and will be
    /// missing there.
    public func write(to path: String) throws(CompositionError) {
        let target = Path.folder(of: path)
        var session = session
        session.renameFiles { sources[$0] == nil ? name(of: $0, from: target) : $0 }
        do throws(FileError) {
            try AtomicFile.write(
                SessionFile.text(session, like: try? AtomicFile.read(path)), to: path, keepsPrevious: true)
        } catch { throw .file(error) }
    }

    /// The name by which a clip's file is found from another folder.
    private func name(of file: String, from target: String) -> String {
        let present = Path.join(folder, file)
        let leadsThere =
            !file.hasPrefix("/") && Path.resolved(present) != nil
            && Path.resolved(Path.join(target, file)) == Path.resolved(present)
        return leadsThere || Path.resolved(target) == Path.resolved(folder)
            ? file : Path.name(of: present, from: target)
    }

    // MARK: - Tracks

    /// In the order in which they were added.
    public var tracks: [Track] { session.tracks }
    /// Frames per second that it is mixed at offline, and that clips are cut at.
    public var sampleRate: Int32 { session.sampleRate }
    /// The end of the last clip.
    public var duration: MediaTime { session.tracks.map { [ruler] in $0.end(ruler: ruler) }.max() ?? .zero }

    /// - Throws: `.noTrack`.
    public func track(_ id: StripID) throws(CompositionError) -> Track { session.tracks[try index(id)] }

    /// Adds an empty track at the end; its id is chosen, and stays.
    /// - Throws: `.refused` for what cannot name a track.
    @discardableResult
    public mutating func addTrack(named name: String = "track") throws(CompositionError) -> StripID {
        if let problem = StripName.problem(ofNew: name) { throw .refused(problem) }
        guard session.tracks.count < Session.maximumTracks else {
            throw .refused("a session has at most \(Session.maximumTracks) tracks")
        }
        return session.append(Track(name: session.freeName(name)))
    }

    /// Adds a track that plays `source` in place of files.
    /// - Parameters:
    ///   - name: what the track is called, with a number behind it if that is taken.
    ///   - source: what it plays.
    ///   - time: where the source's first frame is heard.
    ///   - duration: nil is as long as the source is.
    @discardableResult
    public mutating func addTrack(
        named name: String = "source", playing source: CallbackSource, at time: MediaTime = .zero,
        for duration: MediaTime? = nil
    ) throws(CompositionError) -> StripID {
        var next = self
        let id = try next.addTrack(named: name)
        var clip = Clip(file: "callback:\(id.rawValue)")
        clip.at = time
        clip.duration = min(
            duration ?? .latest, MediaTime(frame: source.frames, rate: source.sampleRate), .latest)
        next.sources[clip.file] = source
        try next.edit(id) { track, ruler throws(EditError) in try track.insert(clip, ruler: ruler) }
        self = next
        return id
    }

    /// Removes a track, and the ducks that name it.
    public mutating func removeTrack(_ id: StripID) throws(CompositionError) {
        session.removeTrack(at: try index(id))
        taps[id] = nil
    }

    // MARK: - Clips

    /// A stretch of a track's timeline: from a file, or silent.
    public struct Segment: Equatable, Sendable {
        /// Where it lies on the timeline.
        public let target: TimeRange
        /// The file, and what of it; nil: silence.
        public let source: (file: String, range: TimeRange)?
        /// Whether it is silence.
        public var isEmpty: Bool { source == nil }

        /// A stretch of the timeline and where it comes from; nil for silence.
        public init(target: TimeRange, source: (file: String, range: TimeRange)?) {
            (self.target, self.source) = (target, source)
        }

        public static func == (a: Segment, b: Segment) -> Bool {
            a.target == b.target && a.source?.file == b.source?.file && a.source?.range == b.source?.range
        }
    }

    /// A track from zero to the end of its last clip, gapless: clips, and the silence between them.
    public func segments(of id: StripID) throws(CompositionError) -> [Segment] {
        var segments: [Segment] = []
        var place = MediaTime.zero
        let ruler = ruler
        for clip in try track(id).clips {
            guard let range = ruler.range(of: clip) else { continue }
            if range.start > place {
                segments.append(Segment(target: TimeRange(start: place, end: range.start), source: nil))
            }
            segments.append(
                Segment(
                    target: range,
                    source: (clip.file, TimeRange(start: clip.from, duration: clip.ofFile(range.duration)))))
            place = range.end
        }
        return segments
    }

    /// Inserts a range of an asset at a time.
    /// - Parameters:
    ///   - range: of the asset; nil is all of it.
    ///   - asset: the file.
    ///   - time: where on the timeline its first frame is heard.
    ///   - id: the track.
    ///   - push: what lies there and behind makes room; without it an overlap is refused.
    ///   - channels: which channels are left and right; needed where the asset has more than the track.
    /// - Throws: `.range` if the asset has not so much; `.edit` for an overlap.
    public mutating func insert(
        _ range: TimeRange? = nil, of asset: Asset, at time: MediaTime, on id: StripID, push: Bool = false,
        channels: ChannelPair? = nil
    ) throws(CompositionError) {
        let range = range ?? asset.timeRange
        guard range.isValid, range.duration > .zero, asset.timeRange.contains(range) else {
            throw .range(range, of: asset)
        }
        var clip = Clip(file: Path.name(of: asset.path, from: folder))
        (clip.at, clip.from, clip.duration, clip.channels) = (time, range.start, range.duration, channels)
        let layout = try track(id).layout
        do throws(ChannelChoice.Problem) {
            _ = try ChannelChoice(channels.map { ($0.left, $0.right) }, of: asset.channels, on: layout)
        } catch {
            throw .refused("\(asset.path): \(error)")
        }
        let placed = clip
        try edit(id) { track, ruler throws(EditError) in try track.insert(placed, push: push, ruler: ruler) }
    }

    /// Inserts a range of an asset where the track ends.
    /// - Returns: where it lies.
    @discardableResult
    public mutating func append(
        _ range: TimeRange? = nil, of asset: Asset, on id: StripID
    ) throws(CompositionError) -> TimeRange {
        let start = try track(id).end(ruler: ruler)
        try insert(range, of: asset, at: start, on: id)
        return TimeRange(start: start, duration: (range ?? asset.timeRange).duration)
    }

    /// Opens a silence; what lies behind its start moves back.
    public mutating func insertSilence(_ range: TimeRange, on id: StripID) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in try track.insertSilence(range, ruler: ruler) }
    }

    /// Takes out a range; what lies behind closes the gap, unless that is kept.
    public mutating func remove(
        _ range: TimeRange, from id: StripID, keepsGap: Bool = false
    ) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in
            try track.removeRange(range, keepsGap: keepsGap, ruler: ruler)
        }
    }

    /// Cuts the clip that covers `time` in two.
    public mutating func split(_ id: StripID, at time: MediaTime) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in try track.split(at: time, ruler: ruler) }
    }

    /// Moves the clip at `index` of the track's `clips`.
    public mutating func moveClip(
        _ index: Int, of id: StripID, to time: MediaTime, push: Bool = false
    ) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in
            try track.moveClip(at: index, to: time, push: push, ruler: ruler)
        }
    }

    /// Has what lies in `range` last as long as `duration`: it is played slower or faster, a quarter of its
    /// speed to four times; what lies behind moves.
    /// - Throws: `.edit` where a clip would be beyond that, or is cut in a fade.
    public mutating func scale(
        _ range: TimeRange, to duration: MediaTime, on id: StripID
    ) throws(CompositionError) {
        for clip in try track(id).clips.indices { _ = try trackOfFile(clip, id) }
        try edit(id) { track, ruler throws(EditError) in
            try track.scaleRange(range, to: duration, ruler: ruler)
        }
    }

    /// What becomes of the pitch of what is played slower or faster.
    public enum AudioTimePitchAlgorithm: Sendable {
        /// As `timeDomain`: all of it is made ahead, so none has less latency.
        case lowQualityZeroLatency
        /// It stays: SoundTouch.
        case timeDomain
        /// It stays: Rubber Band's finer engine, which has to be installed, and takes some fifty times as
        /// long.
        case spectral
        /// It goes with the speed, as a tape's does.
        case varispeed
    }

    /// Says so for all clips of a track; as long as nobody does it is `timeDomain`.
    public mutating func setAudioTimePitchAlgorithm(
        _ algorithm: AudioTimePitchAlgorithm, of id: StripID
    ) throws(CompositionError) {
        let index = try index(id)
        for clip in session.tracks[index].clips.indices {
            session.tracks[index].clips[clip].isTape = algorithm == .varispeed
            session.tracks[index].clips[clip].stretcher = algorithm == .spectral ? .rubberband : .soundtouch
            if algorithm == .varispeed { session.tracks[index].clips[clip].pitch = 0 }
        }
    }

    /// Has the clip at `index` of the track's `clips` sound so many semitones higher, -24 to 24.
    /// - Throws: `.refused` for a pitch beyond that, or of a tape.
    public mutating func setPitch(
        _ semitones: Double, ofClip clip: Int, on id: StripID
    ) throws(CompositionError) {
        let index = try trackOfFile(clip, id)
        guard Clip.pitches.contains(semitones), semitones == 0 || !session.tracks[index].clips[clip].isTape
        else {
            throw .refused(
                """
                \(semitones) semitones: a pitch goes from \(Clip.pitches.lowerBound) to \
                \(Clip.pitches.upperBound), and a tape has none of its own
                """
            )
        }
        session.tracks[index].clips[clip].pitch = semitones
    }

    /// Has the clip at `index` of the track's `clips` play what it plays from the end to the beginning, or as
    /// it is.
    public mutating func setReversed(_ flag: Bool, ofClip clip: Int, on id: StripID) throws(CompositionError)
    {
        let index = try trackOfFile(clip, id)
        session.tracks[index].clips[clip].isReversed = flag
    }

    /// The track, if the clip plays a file: what a closure computes plays at its own speed, forwards.
    private func trackOfFile(_ clip: Int, _ id: StripID) throws(CompositionError) -> Int {
        let index = try index(id)
        let clips = session.tracks[index].clips
        guard clips.indices.contains(clip) else {
            throw .edit(
                .noClip(number: clip + 1, count: clips.count), place: "\(StripPlace.track(index + 1))")
        }
        if sources[clips[clip].file] != nil {
            throw .refused("a clip of a callback's sound plays at its own speed and pitch, forwards")
        }
        return index
    }

    private mutating func edit(
        _ id: StripID, _ change: (inout Track, ClipRuler) throws(EditError) -> Void
    ) throws(CompositionError) {
        let index = try index(id)
        var track = session.tracks[index]
        do throws(EditError) { try change(&track, ruler) } catch {
            throw .edit(error, place: "\(StripPlace.track(index + 1))")
        }
        session.tracks[index] = track
    }

    // MARK: - Volumes

    /// Changes what the timeline says of a strip's volume, or of another control: `setVolume`,
    /// `setVolumeRamp`, `clear`, `move`, `Fades.draw`.
    /// - Throws: `CompositionError`, or whatever else `change` throws; then nothing has changed.
    public mutating func automate(
        _ id: StripID, _ control: Automation.Control = .volume, _ change: (inout Automation) throws -> Void
    ) throws {
        let place = try place(id)
        if place.kind == .dca, control != .volume, control != .mute {
            throw CompositionError.refused("\(place) has no \(control.rawValue)")
        }
        var automation = session[place][automation: control]
        do { try change(&automation) } catch let error as AutomationError {
            throw CompositionError.automation(error, place: "\(place)")
        }
        session[place][automation: control] = automation
    }

    /// The same of a send's volume, pan or mute.
    public mutating func automateSend(
        of id: StripID, to bus: StripID, _ control: Automation.Control = .volume,
        _ change: (inout Automation) throws -> Void
    ) throws {
        let place = try place(id)
        guard var automation = session[place].send(to: bus)?[automation: control], control != .trim else {
            throw CompositionError.refused("\(place) has no such send")
        }
        do { try change(&automation) } catch let error as AutomationError {
            throw CompositionError.automation(error, place: "\(place)")
        }
        session.setSend(of: place, to: bus) { $0[automation: control] = automation }
    }

    /// The live level of a strip, linear, 0 to 4.
    public mutating func setFader(_ volume: Double, of id: StripID) throws(CompositionError) {
        let volume = try checked(volume)
        session[try place(id)].fader = volume
    }

    /// Balance from -1 (left) to 1 (right).
    public mutating func setPan(_ pan: Double, of id: StripID) throws(CompositionError) {
        guard (-1...1).contains(pan) else { throw .refused("\(pan) is not a pan: it goes from -1 to 1") }
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no pan") }
        session[place].pan = pan
    }

    /// What a strip's sound is multiplied by before all else, linear, 0 to 4, and whether it is turned upside
    /// down.
    public mutating func setTrim(
        _ trim: Double, polarity: Bool = false, of id: StripID
    ) throws(CompositionError) {
        let trim = try checked(trim)
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no trim") }
        (session[place].trim, session[place].polarity) = (trim, polarity)
    }

    /// A strip's equaliser: a high pass, a low pass and four bands; nil: none.
    public mutating func setEqualiser(_ equaliser: Equaliser?, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no equaliser") }
        session[place].equaliser = equaliser
    }

    /// What lowers a strip where it is quiet; nil: nothing.
    /// - Throws: `CompositionError` for a DCA, for a number out of its range, and for a key that would have
    ///   to be mixed behind what it keys.
    public mutating func setGate(_ gate: Gate?, of id: StripID) throws(CompositionError) {
        try setDynamics(gate, \.gate, of: id)
    }

    /// What lowers a strip where it is loud; nil: nothing.
    /// - Throws: as `setGate`.
    public mutating func setCompressor(_ compressor: Compressor?, of id: StripID) throws(CompositionError) {
        try setDynamics(compressor, \.compressor, of: id)
    }

    /// What keeps a strip's true peaks under a level, last of all; nil: nothing.
    /// - Throws: `CompositionError` for a DCA, for a number out of its range, and for more than
    ///   `Strip.maximumLimiters`.
    public mutating func setLimiter(_ limiter: Limiter?, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        guard
            limiter == nil
                || session.places.count(where: { session[$0].limiter != nil && $0 != place })
                    < Strip.maximumLimiters
        else {
            throw .refused("at most \(Strip.maximumLimiters) strips have a limiter")
        }
        try setDynamics(limiter, \.limiter, of: id)
    }

    /// How much later a strip is heard.
    /// - Throws: `CompositionError` for a DCA, and for a time outside of 0 to 2 s.
    public mutating func setDelay(_ delay: MediaTime, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no delay") }
        guard delay.isNumeric, delay >= .zero, delay <= Strip.longestDelay else {
            throw .refused("\(delay) is no delay: it goes from 0 to 2 s")
        }
        guard
            delay == .zero
                || session.places.count(where: { session[$0].delay > .zero && $0 != place })
                    < Strip.maximumDelays
        else {
            throw .refused("at most \(Strip.maximumDelays) strips have a delay")
        }
        session[place].delay = delay
    }

    private mutating func setDynamics<Processor: LevelProcessor>(
        _ processor: Processor?, _ path: WritableKeyPath<Strip, Processor?>, of id: StripID
    ) throws(CompositionError) {
        let place = try place(id)
        if place.kind == .dca { throw .refused("\(place) has no gate, no compressor and no limiter") }
        if let processor {
            for parameter in Processor.parameters
            where !parameter.range.contains(parameter.value(of: processor)) {
                throw .refused(
                    """
                    \(parameter.value(of: processor)) is out of range: \(parameter.name) goes from \
                    \(parameter.range.lowerBound) to \(parameter.range.upperBound)
                    """
                )
            }
        }
        if let problem = (processor as? Gate)?.problem { throw .refused(problem) }
        if (processor as? any Dynamics)?.key == id {
            throw .refused("\(place) goes by its own level unless it has a key: it cannot be its own")
        }
        var changed = session
        changed[place][keyPath: path] = processor
        try take(changed)
    }

    /// Who is heard.
    public mutating func set(mute: Bool? = nil, solo: Bool? = nil, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        if solo != nil, place.kind == .dca || place == .master { throw .refused("\(place) has no solo") }
        if let mute { session[place].mute = mute }
        if let solo { session[place].solo = solo }
    }

    // MARK: - Buses, sends, DCAs

    /// In the order in which they were added.
    public var buses: [Strip] { session.buses }
    /// In the order in which they were added.
    public var dcas: [DCA] { session.dcas }

    /// What a track, a bus, a DCA or the master has.
    /// - Throws: `.noTrack`.
    public func strip(_ id: StripID) throws(CompositionError) -> Strip { session[try place(id)] }

    /// Adds a bus, a sum of strips; its id is chosen, and stays.
    /// - Throws: `.refused` for what cannot name a strip.
    @discardableResult
    /// - Parameter layout: the channels that it sums. What goes to it or comes from it with others is mixed
    ///   by Rec. ITU-R BS.775.
    public mutating func addBus(
        named name: String = "bus", layout: SpeakerLayout = .stereo
    ) throws(CompositionError) -> StripID {
        if let problem = StripName.problem(ofNew: name) { throw .refused(problem) }
        guard session.buses.count < Session.maximumBuses else {
            throw .refused("a session has at most \(Session.maximumBuses) buses")
        }
        return session.addBus(named: session.freeName(name), layout: layout)
    }

    /// Gives a track or a bus other channels; a track has at least those of its input.
    /// - Throws: `.noTrack`; `.refused` for the master, which has two, and for a DCA, or where a clip's file
    ///   would have more than the track.
    public mutating func setLayout(_ layout: SpeakerLayout, of id: StripID) throws(CompositionError) {
        let place = try place(id)
        guard place.kind == .track || place.kind == .bus else {
            throw .refused("\(place) has no channels to choose")
        }
        var next = session
        next.setLayout(layout, of: place)
        if case .track(let number) = place {
            let problems = SessionCheck.problems(
                next.tracks[number - 1], place: "\(place)", library(), rate: session.sampleRate)
            if let problem = problems.first(where: { $0.place.hasSuffix("channels") }) {
                throw .refused("\(problem)")
            }
        }
        session = next
    }

    /// Removes a bus and the sends to it; what went out through it goes to the master.
    public mutating func removeBus(_ id: StripID) throws(CompositionError) {
        guard case .bus(let number) = try place(id) else { throw .noTrack(id) }
        session.removeBus(at: number - 1)
    }

    /// Where the sound of a track or bus goes.
    /// - Throws: `.refused` for a loop.
    public mutating func setOutput(_ output: Output, of id: StripID) throws(CompositionError) {
        let place = try feeding(id)
        if case .bus(let bus) = output { _ = try self.bus(bus) }
        var next = session
        next[place].output = output
        try take(next)
    }

    /// Sends the sound of a track or bus to a bus, beside its output; a send that is there is changed. The
    /// volume is linear, 0 to 4, the pan a balance from -1 to 1; a send that `isPre` leaves before the
    /// strip's automation, fader, mute and pan, else behind them.
    /// - Throws: `.refused` for a loop, or for more sends than a strip has.
    public mutating func setSend(
        _ volume: Double, of id: StripID, to bus: StripID, pan: Double = 0, mute: Bool = false,
        isPre: Bool = false
    ) throws(CompositionError) {
        let (volume, place) = (try checked(volume), try feeding(id))
        _ = try self.bus(bus)
        guard (-1...1).contains(pan) else { throw .refused("\(pan) is not a pan: it goes from -1 to 1") }
        guard session[place].send(to: bus) != nil || session[place].sends.count < Session.maximumSends else {
            throw .refused("a strip has at most \(Session.maximumSends) sends")
        }
        var next = session
        next.setSend(of: place, to: bus) {
            ($0.volume, $0.pan, $0.mute, $0.isPre) = (volume, pan, mute, isPre)
        }
        try take(next)
    }

    /// Takes a send away.
    public mutating func removeSend(of id: StripID, to bus: StripID) throws(CompositionError) {
        session.removeSend(of: try feeding(id), to: bus)
    }

    /// Adds a DCA: a fader that multiplies those of its members, and mutes them with its own mute.
    @discardableResult
    public mutating func addDCA(
        named name: String = "dca", members: [StripID] = []
    ) throws(CompositionError) -> StripID {
        if let problem = StripName.problem(ofNew: name) { throw .refused(problem) }
        guard session.dcas.count < Session.maximumDCAs else {
            throw .refused("a session has at most \(Session.maximumDCAs) DCAs")
        }
        for member in members where try place(member).kind == .dca {
            throw .refused("a DCA cannot hang on another")
        }
        return session.addDCA(
            named: session.freeName(name),
            members: members.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// Removes a DCA: nothing hangs on it any more.
    public mutating func removeDCA(_ id: StripID) throws(CompositionError) {
        guard case .dca(let number) = try place(id) else { throw .noTrack(id) }
        session.removeDCA(at: number - 1)
    }

    private mutating func take(_ next: Session) throws(CompositionError) {
        if let loop = Routing(next).loop { throw .refused(Routing.problem(loop, in: next)) }
        session = next
    }

    private func bus(_ id: StripID) throws(CompositionError) -> StripPlace {
        let place = try place(id)
        guard place.kind == .bus else { throw .refused("\(place) takes no sound: only buses do") }
        return place
    }

    /// A strip whose sound goes on.
    private func feeding(_ id: StripID) throws(CompositionError) -> StripPlace {
        let place = try place(id)
        guard place.kind == .track || place.kind == .bus else {
            throw .refused("the sound of \(place) goes nowhere else")
        }
        return place
    }

    private func place(_ id: StripID) throws(CompositionError) -> StripPlace {
        guard let place = session.place(of: id) else { throw .noTrack(id) }
        return place
    }

    // MARK: - Inputs and takes

    /// Gives a track an input, which a mixer on a JACK server hears live, or takes it away. What was recorded
    /// of it are clips as others are, in `Track.clips`.
    /// - Throws: `.refused` for a number of channels that no layout has, or a name whose ports would be
    ///   called as another strip's.
    public mutating func setInput(_ input: Input?, of id: StripID) throws(CompositionError) {
        let index = try index(id)
        guard let input else { return session.removeInput(ofTrack: index) }
        guard SpeakerLayout(rawValue: input.channels) != nil else {
            throw .refused("an input has \(SpeakerLayout.choices) channels, not \(input.channels)")
        }
        let ports = StripName.ports(session.tracks[index].name, hasInput: true)
        if let other = session.strips.first(where: {
            $0.id != id && !session.ports(of: $0.id).isDisjoint(with: ports)
        }) {
            throw .refused("its ports would be called as those of \"\(other.name)\"")
        }
        session.setInput(input, ofTrack: index)
    }

    /// Which of its input and its clips a track plays.
    public mutating func setMonitor(_ monitor: Monitor, of id: StripID) throws(CompositionError) {
        session.tracks[try index(id)].monitor = monitor
    }

    // MARK: - Fades and ducks

    /// Fades of a whole track, from the start of its first clip and to the end of its last; they follow when
    /// clips move.
    public mutating func setFades(
        in fadeIn: MediaTime = .zero, out fadeOut: MediaTime = .zero, of id: StripID
    ) throws(CompositionError) {
        for time in [fadeIn, fadeOut] where !time.isNumeric || time < .zero {
            throw .refused("\(time) is not the length of a fade")
        }
        let index = try index(id)
        (session.tracks[index].fadeIn, session.tracks[index].fadeOut) = (fadeIn, fadeOut)
    }

    /// Lowers a track or bus while a track has a clip; it follows when clips move. One duck for each pair of
    /// tracks; a volume of 1 ends it.
    public mutating func duck(
        _ id: StripID, under voice: StripID, to volume: Double, attack: MediaTime = Duck.defaultTime,
        release: MediaTime = Duck.defaultTime
    ) throws(CompositionError) {
        _ = (try feeding(id), try index(voice))
        guard id != voice else { throw .refused("a track cannot duck under itself") }
        for time in [attack, release] where !time.isNumeric || time < .zero {
            throw .refused("\(time) is not a time of a duck")
        }
        var duck = Duck(track: id, under: voice, to: try checked(volume))
        (duck.attack, duck.release) = (attack, release)
        session.ducks.removeAll { $0.track == id && $0.under == voice }
        if volume != 1 { session.ducks.append(duck) }
    }

    /// Lowers a track or bus while another is heard: while its level, before its automation and fader, is at
    /// `threshold` dB, and `hold` longer. One duck for each pair of strips; a volume of 1 ends it. With a
    /// look-ahead, 1 s at the most, it hears the other that much earlier.
    public mutating func duckBySignal(
        _ id: StripID, under key: StripID, to volume: Double, threshold: Double = -40,
        attack: MediaTime = Duck.signalAttack,
        hold: MediaTime = MediaTime(value: 300, timescale: 1000), release: MediaTime = Duck.defaultTime,
        lookahead: MediaTime = .zero
    ) throws(CompositionError) {
        _ = (try feeding(id), try feeding(key))
        guard id != key else { throw .refused("a track cannot duck under itself") }
        guard Duck.thresholds.contains(threshold) else {
            throw .refused("\(threshold) is no threshold: it goes from -120 to 24 dB")
        }
        for time in [attack, hold, release, lookahead] where !time.isNumeric || time < .zero {
            throw .refused("\(time) is not a time of a duck")
        }
        guard lookahead <= Duck.longestLookahead else {
            throw .refused("\(lookahead) is too long a look-ahead: it goes from 0 to 1 s")
        }
        var duck = Duck(track: id, under: key, to: try checked(volume))
        (duck.trigger, duck.threshold, duck.attack, duck.hold, duck.release) = (
            .signal, threshold, attack, hold, release
        )
        duck.lookahead = lookahead
        var changed = session
        changed.ducks.removeAll { $0.track == id && $0.under == key }
        if volume != 1 { changed.ducks.append(duck) }
        guard changed.ducks.count(where: { $0.track == id && $0.trigger == .signal }) <= Duck.maximumBySignal
        else {
            throw .refused("a strip has \(Duck.maximumBySignal) ducks by signal at the most")
        }
        try take(changed)
    }

    /// Has a bus share out among those that go there, or nothing any more (`Automix`).
    /// - Throws: `.refused` for a time that is none, and where what a member leaves comes back as another.
    public mutating func setAutomix(_ automix: Automix?, of id: StripID) throws(CompositionError) {
        guard case .bus(let number) = try place(id) else {
            throw .refused("a bus shares out, and no other strip")
        }
        for time in [automix?.attack, automix?.release] {
            if let time, !time.isNumeric || !Automix.allows(time) {
                throw .refused("\(time) is no time of an automix: it goes from 0 to 10 s")
            }
        }
        var changed = session
        changed[.bus(number)].automix = automix
        try take(changed)
    }

    /// How a strip takes part in the automix of the bus that it goes to.
    /// - Throws: `.refused` for a weight or a priority out of range, and where what a member leaves comes
    ///   back as another.
    public mutating func setAutomixing(_ member: Automix.Member, of id: StripID) throws(CompositionError) {
        guard Automix.Member.weights.contains(member.weight) else {
            throw .refused("\(member.weight) is no weight: it goes from 0 to 100")
        }
        guard Automix.Member.priorities.contains(member.priority),
            member.priority == member.priority.rounded()
        else {
            throw .refused("\(member.priority) is no priority: a whole number from 0 to 4")
        }
        var changed = session
        changed[try feeding(id)].automixing = member
        try take(changed)
    }

    /// What automation, fades and ducks of a strip come to at `time`, as it is played.
    public func volume(of id: StripID, at time: MediaTime) throws(CompositionError) -> Double {
        _ = try place(id)
        return Arrangement(session, library: library(), sampleRate: sampleRate).volume(
            of: id, at: time.frame(atRate: sampleRate))
    }

    /// Puts a tap on a track, in place of the one it had; nil takes it off. Taps are not saved.
    public mutating func setTap(_ tap: TrackTap?, on id: StripID) throws(CompositionError) {
        _ = try index(id)
        taps[id] = tap
    }

    // MARK: - For what plays it

    /// Finds its files anew, as they are now.
    package func library() -> MediaLibrary { MediaLibrary(folder: folder, sources: sources) }

    /// Says where clips lie, by what their files were when it was read. What was not, is read now, and waits
    /// until it is decoded.
    private var ruler: ClipRuler {
        let library = MediaLibrary(
            folder: folder, known: files, sources: sources, trustsWhatItKnows: true)
        return ClipRuler(rate: sampleRate) { clip in
            guard let info = try? library.info(of: clip).get() else { return nil }
            return info.duration ?? (try? AudioSource.info(of: library.place(of: clip)))?.duration
        }
    }

    /// What is wrong with it, as `jmix check` would say; files that have gone or changed since they were
    /// inserted are faults too.
    public func problems() -> [SessionProblem] {
        let library = library()
        library.makeReady(session)
        return SessionCheck.problems(session, library: library)
    }

    /// The frames of a range, or of all of it, at the composition's rate, of which nothing is missing.
    func mixable(_ range: TimeRange?, _ library: MediaLibrary) throws(CompositionError) -> Range<Int64> {
        library.makeReady(session)
        let problems = SessionCheck.problems(session, library: library)
        if !problems.isEmpty { throw .problems(problems) }
        let range = range ?? TimeRange(start: .zero, duration: duration)
        let (start, end) = (range.start.frame(atRate: sampleRate), range.end.frame(atRate: sampleRate))
        // What never ends lasts as long as a timeline.
        guard range.start.isOnTimeline, range.end < .latest, end > start else { throw .noEnd(range) }
        let bare = session.uncoveredInputs(start..<end, ruler: library.ruler(atRate: sampleRate))
        if !bare.isEmpty {
            throw .refused(
                """
                what \(bare.map { "\"\($0.name)\"" }.joined(separator: ", ")) heard live is not recorded for \
                all of that time: setMonitor(.clips) leaves it out
                """
            )
        }
        return start..<end
    }

    private func index(_ id: StripID) throws(CompositionError) -> Int {
        guard let index = session.index(of: id) else { throw .noTrack(id) }
        return index
    }

    private func checked(_ volume: Double) throws(CompositionError) -> Double {
        do throws(VolumeError) { return try Volume.checked(volume) } catch { throw .volume(error) }
    }
}

/// Why a composition cannot be so.
public enum CompositionError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Not between 8000 and 384000.
    case sampleRate(Int32)
    /// The strip was removed, or is another composition's.
    case noTrack(StripID)
    /// Something else that was asked for is not possible; the text says what.
    case refused(String)
    /// The asset has no such range.
    case range(TimeRange, of: Asset)
    /// Empty, before zero, or endless.
    case noEnd(TimeRange)
    /// Not from 0 to 4.
    case volume(VolumeError)
    /// Clips cannot be edited so.
    case edit(EditError, place: String)
    /// An event cannot stand on the timeline.
    case automation(AutomationError, place: String)
    /// All that is wrong with a session's file, or with the files that a composition plays.
    case problems([SessionProblem])
    /// The file cannot be read or written.
    case file(FileError)

    public var description: String {
        switch self {
        case .sampleRate(let rate):
            """
            \(rate) is not a sample rate: it goes from \(Session.sampleRates.lowerBound) to \
            \(Session.sampleRates.upperBound)
            """
        case .noTrack(let id): "there is no strip of that kind with the id \(id.rawValue)"
        case .refused(let reason): reason
        case .range(let range, let asset):
            "\(range) is not a range of \(asset.path), which lasts \(asset.duration)"
        case .noEnd(let range):
            "\(range) cannot be mixed to its end: give a range that begins at 0 or later and ends"
        case .volume(let error): "\(error)"
        case .edit(let error, let place): error.message(place: place)
        case .automation(let error, let place): error.message(place: place)
        case .problems(let problems): problems.map(\.description).joined(separator: "\n")
        case .file(let error): "\(error)"
        }
    }
}
