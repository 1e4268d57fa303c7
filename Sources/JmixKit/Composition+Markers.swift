import Timeline

/// Places on the timeline that have names.
extension Composition {
    /// In the order of their times.
    public var markers: [Marker] { session.markers }

    /// Puts a marker at `time`; one of that name goes there.
    /// - Throws: `.refused` for a name that cannot be, a time that is none of a timeline, or more markers
    ///   than `Marker.maximum`.
    public mutating func setMarker(_ name: String, at time: MediaTime) throws(CompositionError) {
        if let problem = Marker.problem(name) { throw .refused(problem) }
        guard time.isOnTimeline else {
            throw .refused("\(time) is no time of a timeline, which goes from 0 to \(MediaTime.latest)")
        }
        guard session.markers.count < Marker.maximum || session.markers.contains(where: { $0.name == name })
        else { throw .refused("a composition has at most \(Marker.maximum) markers") }
        session.setMarker(Marker(name: name, at: time))
    }

    /// Forgets the marker of that name.
    /// - Throws: `.refused` if there is none.
    public mutating func removeMarker(_ name: String) throws(CompositionError) {
        guard session.markers.contains(where: { $0.name == name }) else {
            throw .refused("there is no marker \"\(name)\"")
        }
        session.markers.removeAll { $0.name == name }
    }
}
