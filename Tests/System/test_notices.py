"""What the log is told from warnings on comes to those who look on from elsewhere."""

import json
import subprocess

import numpy as np
import soundfile
from conftest import JMIXCTL, RATE, wait_until
from pythonosc.osc_packet import OscPacket


def test_a_file_that_breaks_is_told_to_subscribers_and_to_watch(mixers, jackd, tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros((RATE, 2), np.float32), RATE)
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "a", "clips": [{"file": "a.wav"}]}]})
    )
    mixer = mixers("--server", jackd.name, tmp_path / "s.json")
    peer, stranger = mixer.osc(), mixer.osc()
    peer.send("/subscribe", "/track/1/mute", 10)
    watch = subprocess.Popen(
        ["timeout", "30", JMIXCTL, "--url", mixer.url, "watch", "--json"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert json.loads(watch.stdout.readline())["notice"] == ""
        (tmp_path / "a.wav").write_bytes(b"no sound at all")
        told = []

        def is_told():
            for item in OscPacket(peer.client._sock.recv(65536)).messages:
                if item.message.address == "/notice":
                    told.append(list(item.message.params))
            return told

        wait_until(is_told, "the subscriber is told")
        level, text = told[0]
        assert level == "warning" and "a.wav" in text
        wait_until(lambda: text in mixer.log, "the log has it too")
        wait_until(lambda: "a.wav" in json.loads(watch.stdout.readline())["notice"], "who watches is told")
        # Who has subscribed to nothing is told nothing.
        assert stranger.ask("/version")[0][0] == "/version"
    finally:
        watch.terminate()
        watch.wait(10)
        watch.stdout.close()
        peer.close()
        stranger.close()
