"""The soak's oracle knows right from wrong."""

import numpy as np
import witness


def heard(*parts):
    return np.concatenate(parts).astype(np.float32)


FILE = witness.samples(200_000)
SHARE = 1 - np.arange(240) / 240


def crossfade(old, new):
    new, old = (
        FILE[np.arange(place, place + 240) if isinstance(place, int) else place].astype(np.float64)
        for place in (new, old)
    )
    return new + (old - new) * SHARE


def around(frame, start, end):
    """240 frames from one on, of a loop."""
    return [n if n < end else start + n - end for n in range(frame, frame + 240)]


def chain(length, first, *fades, silent=False):
    """From a frame on, out of silence if it is; then fades that begin where each says and lead to the place
    that each says, the next over those before."""
    now = np.arange(length)
    values = FILE[first + now] * (np.minimum(now / 240, 1) if silent else 1)
    for begun, place in fades:
        line = FILE[place + np.maximum(now - begun, 0)]
        values = np.where(
            now < begun, values, line + (values - line) * np.clip(1 - (now - begun) / 240, 0, 1)
        )
    return values


def faults(parts, targets=(0, 50_000), loops=()):
    oracle = witness.Oracle(len(FILE))
    oracle.targets |= set(targets)
    oracle.loops |= set(loops)
    oracle.hear(heard(np.zeros(1000), *parts, np.zeros(100_000)), last=True)
    return oracle.faults


def test_what_is_right_is_no_fault():
    assert not faults([FILE[:30_000]] + [FILE[30_000:30_240] * SHARE])
    assert not faults(
        [FILE[:30_000], crossfade(30_000, 50_000), FILE[50_240:90_000], FILE[90_000:90_240] * SHARE]
    )
    assert not faults([FILE[:30_000], FILE[50_000:90_000], FILE[90_000:90_240] * SHARE]), "a loop's jump"
    assert not faults(
        [
            FILE[:30_000],
            FILE[30_000:30_240] * SHARE,
            np.zeros(500),
            FILE[30_240:30_480] * np.arange(240) / 240,
            FILE[30_480:60_000],
            FILE[60_000:60_240] * SHARE,
        ]
    )
    assert not faults(
        [FILE[:30_000], FILE[30_000:30_240] * SHARE, FILE[50_000:90_000], FILE[90_000:90_240] * SHARE]
    ), "stopped, sent elsewhere, and begun there at once"
    round_and_away = [FILE[:30_000], crossfade(10_000, 50_000), FILE[50_240:90_000]]
    assert not faults([*round_and_away, FILE[90_000:90_240] * SHARE], loops=[(10_000, 30_000)])
    assert faults([*round_and_away, FILE[90_000:90_240] * SHARE], loops=[(10_000, 30_001)])
    over_the_turn = [
        FILE[:29_999],
        crossfade(around(29_999, 0, 30_000), 50_000),
        crossfade(50_240, 0),
        FILE[240:5_000],
        FILE[5_000:5_240] * SHARE,
    ]
    assert not faults(over_the_turn, loops=[(0, 30_000)]), "sent away with a loop's turn, and back at once"
    assert faults(over_the_turn, loops=[(0, 30_001)])
    to_the_turn = [FILE[:30_000], crossfade(30_000, 50_000), FILE[50_240:50_241], FILE[:5_000]]
    assert not faults([*to_the_turn, FILE[5_000:5_240] * SHARE], targets=(50_000,), loops=[(0, 50_241)])
    assert faults([*to_the_turn, FILE[5_000:5_240] * SHARE], targets=(50_000,), loops=[(0, 50_242)])
    up = np.append(1 - np.arange(100) / 240, 140 / 240 + 100 / 240 * np.arange(240) / 240)
    taken_back = [FILE[:30_000], FILE[30_000:30_340] * up, FILE[30_340:30_400]]
    assert not faults(
        [*taken_back, crossfade(30_400, 50_000), FILE[50_240:90_000], FILE[90_000:90_240] * SHARE]
    ), "a stop taken back, and sent on soon"
    over_the_turn = [FILE[:30_000], FILE[[*range(30_000, 30_304), *range(36)]] * up, FILE[36:5_000]]
    end = FILE[5_000:5_240] * SHARE
    assert not faults([*over_the_turn, end], loops=[(0, 30_304)]), "taken back while a loop turns"
    assert faults([*over_the_turn, end], loops=[(0, 30_303)])
    within = crossfade(30_000, 50_000) * np.append(np.ones(42), 1 - np.arange(198) / 240)
    assert not faults(
        [
            FILE[:30_000],
            within,
            FILE[50_240:50_282] * (1 - np.arange(198, 240) / 240),
            FILE[50_000:90_000],
            FILE[90_000:90_240] * SHARE,
        ]
    ), "stopped within a crossfade, and begun elsewhere at once"
    begun = FILE[150_000:150_240] * np.arange(240) / 240
    sent = np.append(
        begun[:51], FILE[50_000:50_240] * (1 - SHARE) + np.append(begun[51:], FILE[150_240:150_291]) * SHARE
    )
    assert not faults(
        [
            FILE[:150_000],
            FILE[150_000:150_240] * SHARE,
            np.zeros(500),
            sent,
            FILE[50_240:90_000],
            FILE[90_000:90_240] * SHARE,
        ]
    ), "begun again, and sent on at once"
    far = {"targets": (0, 500, 3000, 50_000, 89_000, 150_000)}
    stopped = chain(290, 10_000, (0, 150_000)) * np.append(np.ones(50), 1 - np.arange(240) / 240)
    assert not faults([FILE[:10_000], stopped], **far), (
        "stopped within a crossfade to where it is louder by far"
    )
    silence = [FILE[:150_000], FILE[150_000:150_240] * SHARE, np.zeros(500)]
    assert not faults(
        [*silence, chain(1000, 150_000, (154, 0), (409, 89_409), silent=True), FILE[90_000:90_240] * SHARE],
        targets=(0, 89_409, 150_000),
    ), "sent on soon after it has arrived"
    assert not faults(
        [*silence, chain(1000, 3000, (85, 150_000), (325, 89_325), silent=True), FILE[90_000:90_240] * SHARE],
        targets=(0, 89_325, 150_000),
    ), "and at once, to where it is louder by far"
    chained = chain(1500, 44_378, (0, 500), (128, 50_000), (280, 150_000), (520, 0), (760, 89_260))
    assert not faults(
        [FILE[:44_378], chained, FILE[90_000:90_240] * SHARE], targets=(0, 500, 50_000, 150_000, 89_260)
    ), "five fades, one over the other"
    loop = {"targets": (0, 59_939, 50_000), "loops": {(0, 60_000)}}
    assert not faults(
        [
            FILE[:30_000],
            crossfade(30_000, around(59_939, 0, 60_000)),
            FILE[179:90_000],
            FILE[90_000:90_240] * SHARE,
        ],
        **loop,
    ), "sent to just before a loop's end"
    assert not faults(
        [
            FILE[:59_939],
            crossfade(around(59_939, 0, 60_000), 50_000),
            FILE[50_240:55_000],
            FILE[55_000:55_240] * SHARE,
        ],
        **loop,
    ), "sent on just before a loop's end"
    late = crossfade(59_900, around(59_900, 0, 60_000))
    assert not faults([FILE[:59_900], late, FILE[140:90_000], FILE[90_000:90_240] * SHARE], **loop), (
        "the loop was set just before its end"
    )
    assert not faults(
        [
            FILE[:59_900],
            crossfade(around(59_900, 0, 60_000), 59_900),
            FILE[60_140:90_000],
            FILE[90_000:90_240] * SHARE,
        ],
        **loop,
    ), "and ended"
    assert not faults([FILE[:59_939], FILE[around(59_939, 0, 60_000)] * SHARE], **loop), (
        "stopped just before a loop's end"
    )


def test_what_the_capture_missed_is_not_compared_and_what_follows_is():
    gap = np.full(128, np.nan)
    rest = [FILE[30_128:90_000], FILE[90_000:90_240] * SHARE]
    assert not faults([FILE[:30_000], gap, *rest])
    within = crossfade(30_000, 50_000)
    within[60:188] = np.nan
    assert not faults([FILE[:30_000], within, FILE[50_240:90_000], FILE[90_000:90_240] * SHARE])
    assert faults([FILE[:30_000], gap, FILE[30_128:60_000], FILE[60_001:90_000], FILE[90_000:90_240] * SHARE])
    assert faults([FILE[:20_000], FILE[20_001:30_000], gap, *rest])


def test_what_is_wrong_is():
    assert faults(
        [FILE[:30_000], FILE[30_000:30_240] * SHARE, FILE[70_000:90_000], FILE[90_000:90_240] * SHARE]
    ), "begun where nobody asked for"
    assert faults([FILE[:30_000], np.zeros(5000)]), "a click"
    assert faults([FILE[:30_000], FILE[30_001:60_000], FILE[60_000:60_240] * SHARE]), "a frame is missing"
    assert faults([FILE[:30_000], FILE[29_999:60_000], FILE[60_000:60_240] * SHARE]), "a frame comes twice"
    assert faults(
        [FILE[:30_000], crossfade(30_000, 70_000), FILE[70_240:90_000], FILE[90_000:90_240] * SHARE]
    ), "nobody asked for that place"
    up = np.append(1 - np.arange(100) / 240, 150 / 240 + 90 / 240 * np.arange(240) / 240)
    assert faults(
        [FILE[:30_000], FILE[30_000:30_340] * up, FILE[30_340:90_000], FILE[90_000:90_240] * SHARE]
    ), "a step in a stop that is taken back"
    assert faults(
        [
            FILE[:30_000],
            crossfade(30_000, around(59_939, 0, 60_000)),
            FILE[179:90_000],
            FILE[90_000:90_240] * SHARE,
        ],
        targets=(0, 59_939),
    ), "there is no such loop"
    chained = chain(1500, 44_378, (0, 500), (128, 50_000), (280, 150_000), (520, 0), (760, 89_260))
    chained[400:] += 3000 / 2**23
    assert faults(
        [FILE[:44_378], chained, FILE[90_000:90_240] * SHARE], targets=(0, 500, 50_000, 150_000, 89_260)
    ), "a step within five fades"
    chained = chain(1500, 44_378, (0, 500), (128, 50_000), (280, 150_000), (520, 0), (760, 70_000))
    assert faults([FILE[:44_378], chained, FILE[71_500:71_740] * SHARE], targets=(0, 500, 50_000, 150_000)), (
        "five fades to where nobody asked for"
    )
    assert faults([FILE[:30_000], np.zeros(64), FILE[30_064:60_000], FILE[60_000:60_240] * SHARE]), "a hole"
    wrong = FILE[:60_000].copy()
    wrong[40_000] += 2.0**-19
    assert faults([wrong, FILE[60_000:60_240] * SHARE]), "one sample"
