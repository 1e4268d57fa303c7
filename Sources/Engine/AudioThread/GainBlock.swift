/// The gain of each frame of a block: one number for all, or one each. Audio thread only; wait-free.
///
/// Gains are multiplied in the same order and precision either way, so a block's samples do not depend on
/// which it is.
struct GainBlock {
    /// The gain of every frame, unless `varies`.
    private(set) var constant: Float = 1
    private(set) var varies = false
    let values: UnsafeMutablePointer<Float>

    @_noLocks
    init(scratch: UnsafeMutablePointer<Float>) { values = scratch }

    /// The gains that lie there, one for each frame.
    @_noLocks
    init(_ values: UnsafeMutablePointer<Float>) { (self.values, varies) = (values, true) }

    /// Multiplies frames `start` to `end` of `count` by one value.
    @_noLocks
    mutating func multiply(by value: Double, from start: Int, to end: Int, of count: Int) {
        let gain = Float(value)
        if start == 0, end == count, !varies {
            constant *= gain
        } else if start < end {
            spread(count)
            var i = start
            while i + 8 <= end {
                store(load(values + i) * gain, values + i)
                i += 8
            }
            while i < end {
                values[i] *= gain
                i += 1
            }
        }
    }

    /// The gain of the `frame`th of `count` frames, which are set one after another from the first on.
    @_noLocks
    mutating func set(_ value: Double, at frame: Int, of count: Int) {
        let gain = Float(value)
        if frame == 0 { (constant, varies) = (gain, false) }
        if !varies, gain != constant { spread(count) }
        if varies { values[frame] = gain }
    }

    /// Multiplies frames `start` to `end` of `count` by the segment's values from `frame` on.
    @_noLocks
    mutating func multiply(
        by segment: GainSegment, at frame: Int64, from start: Int, to end: Int, of count: Int
    ) {
        if case .hold = segment.shape { return multiply(by: segment.base, from: start, to: end, of: count) }
        if start >= end { return }
        spread(count)
        var i = start
        if case .linear = segment.shape {
            let steps = SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7)
            while i + 8 <= end {
                let p =
                    (steps + Double(frame - segment.start + Int64(i - start)) + segment.lead)
                    * segment.inverseLength
                store(load(values + i) * SIMD8<Float>(segment.base + segment.span * p), values + i)
                i += 8
            }
        }
        while i < end {
            values[i] *= Float(segment.value(at: frame + Int64(i - start)))
            i += 1
        }
    }

    /// Multiplies all frames by what a line's envelopes say from the playhead on.
    ///
    /// While all of them hold, that is one number, kept with the line: then nothing of the envelopes has to
    /// be fetched.
    @_noLocks
    mutating func multiply(by sound: UnsafeMutablePointer<LineSound>, at playhead: Playhead, of count: Int) {
        let isUntouched = !varies && constant == 1
        if isUntouched, sound.pointee.rest.covers(playhead.frame, playhead.rolls ? count : 1) {
            constant = sound.pointee.rest.gain
            return
        }
        multiply(by: sound.pointee.envelopes, sound.pointee.envelopeCount, at: playhead, of: count)
        if isUntouched, !varies { sound.pointee.rest = Rest(of: sound.pointee, at: playhead.frame) }
    }

    @_noLocks
    mutating func multiply(by envelope: Envelope, at playhead: Playhead, of count: Int) {
        let frame = playhead.frame
        var index = envelope.nextIndex(at: frame)
        if !playhead.rolls {
            return multiply(by: envelope.segments[index].value(at: frame), from: 0, to: count, of: count)
        }
        var done = 0
        while done < count {
            let here = frame + Int64(done)
            let end = Int(min(Int64(count), envelope.end(of: index) &- frame))
            let stop = envelope.end(of: index) == .max ? count : end
            multiply(by: envelope.segments[index], at: here, from: done, to: stop, of: count)
            done = stop
            index += 1
        }
    }

    /// Multiplies all frames by what several envelopes say from the playhead on.
    @_noLocks
    mutating func multiply(
        by envelopes: UnsafePointer<Envelope>, _ number: Int, at playhead: Playhead, of count: Int
    ) {
        for i in 0..<number { multiply(by: envelopes[i], at: playhead, of: count) }
    }

    /// Multiplies each frame by that of another.
    @_noLocks
    mutating func multiply(by other: GainBlock, of count: Int) {
        if !other.varies {
            if other.constant != 1 { multiply(by: Double(other.constant), from: 0, to: count, of: count) }
            return
        }
        spread(count)
        for i in 0..<count { values[i] *= other.values[i] }
    }

    /// Goes from what `before` is to what this is, by its share in each frame. Where both are the same the
    /// result is that, to the bit.
    @_noLocks
    mutating func cross(from before: inout GainBlock, _ shares: UnsafePointer<Float>, _ count: Int) {
        if !varies, !before.varies, constant == before.constant { return }
        spread(count)
        before.spread(count)
        for i in 0..<count { values[i] += (before.values[i] - values[i]) * shares[i] }
    }

    /// Becomes the share in each frame, or the rest of it.
    @_noLocks
    mutating func take(_ shares: UnsafePointer<Float>, _ count: Int, isRest: Bool) {
        varies = true
        for i in 0..<count { values[i] = isRest ? 1 - shares[i] : shares[i] }
    }

    /// Becomes the same as `other`, in its own place.
    @_noLocks
    mutating func copy(_ other: GainBlock, _ count: Int) {
        (constant, varies) = (other.constant, other.varies)
        if varies {
            UnsafeMutableRawPointer(values).copyMemory(
                from: other.values, byteCount: count * MemoryLayout<Float>.stride)
        }
    }

    /// Whether it changes nothing.
    @_noLocks
    func isUnity() -> Bool { !varies && constant == 1 }

    /// Whether it silences the whole block.
    @_noLocks
    func isSilent() -> Bool { !varies && constant == 0 }

    /// Makes `values` hold the gains even if they are all one.
    @_noLocks
    mutating func spread(_ count: Int) {
        if varies { return }
        varies = true
        fill(values, constant, count)
    }
}

@_noLocks
func load(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
}

@_noLocks
func store(_ value: SIMD8<Float>, _ pointer: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(pointer).storeBytes(of: value, as: SIMD8<Float>.self)
}

@_noLocks
func fill(_ pointer: UnsafeMutablePointer<Float>, _ value: Float, _ count: Int) {
    var i = 0
    let wide = SIMD8<Float>(repeating: value)
    while i + 8 <= count {
        store(wide, pointer + i)
        i += 8
    }
    while i < count {
        pointer[i] = value
        i += 1
    }
}
