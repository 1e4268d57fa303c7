import AudioFile
import Engine
import Timeline

/// What those who play it need.
extension Composition {
    /// Finds its files anew, as they are now.
    package func library() -> MediaLibrary { MediaLibrary(folder: folder, sources: sources) }

    /// Says where clips lie, by what their files were when it was read. What was not, is read now, and waits
    /// until it is decoded.
    var ruler: ClipRuler {
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

    func index(_ id: StripID) throws(CompositionError) -> Int {
        guard let index = session.index(of: id) else { throw .noTrack(id) }
        return index
    }

    func checked(_ volume: Double) throws(CompositionError) -> Double {
        do throws(VolumeError) { return try Volume.checked(volume) } catch { throw .volume(error) }
    }
}
