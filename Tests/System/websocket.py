"""A WebSocket client on a bare socket, so that it can also say what no good client would say."""

import base64
import os
import socket
import struct


def request(port, text, host=None, timeout=5):
    """Sends bytes and returns all that comes back until the server closes or says nothing for a while."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.settimeout(timeout)
        connection.sendall(text if isinstance(text, bytes) else text.encode())
        said = b""
        try:
            while data := connection.recv(65536):
                said += data
        except (TimeoutError, ConnectionResetError):
            pass
        return said


class Socket:
    def __init__(self, port, *headers, target="/", host=None, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.socket.settimeout(5)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {target} HTTP/1.1",
            f"Host: {host or f'127.0.0.1:{port}'}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *headers,
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            data = self.socket.recv(4096)
            if not data:
                break
            self.buffer += data
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0

    @staticmethod
    def frame(opcode, data=b"", fin=True, mask=True, reserved=0, length=None):
        first = (0x80 if fin else 0) | reserved << 4 | opcode
        count = len(data) if length is None else length
        head = bytes([first]) + (
            bytes([(0x80 if mask else 0) | count])
            if count < 126
            else bytes([(0x80 if mask else 0) | (126 if count < 65536 else 127)])
            + struct.pack(">H" if count < 65536 else ">Q", count)
        )
        if not mask:
            return head + data
        key = os.urandom(4)
        return head + key + bytes(byte ^ key[i % 4] for i, byte in enumerate(data))

    def send(self, opcode, data=b"", **how):
        self.socket.sendall(self.frame(opcode, data, **how))

    def receive(self):
        """The next frame that is no ping: (opcode, data); None once it is closed."""
        while True:
            while len(self.buffer) < 2 or len(self.buffer) < self.needed():
                try:
                    data = self.socket.recv(65536)
                except ConnectionResetError:
                    return None
                if not data:
                    return None
                self.buffer += data
            opcode, (start, end) = self.buffer[0] & 15, self.extent()
            payload, self.buffer = self.buffer[start:end], self.buffer[end:]
            if opcode != 9:
                return opcode, payload

    def extent(self):
        length, start = self.buffer[1] & 127, 2
        if length == 126:
            length, start = struct.unpack(">H", self.buffer[2:4])[0], 4
        elif length == 127:
            length, start = struct.unpack(">Q", self.buffer[2:10])[0], 10
        return start, start + length

    def needed(self):
        length = self.buffer[1] & 127
        return (
            self.extent()[1]
            if len(self.buffer) >= (2 if length < 126 else 4 if length == 126 else 10)
            else 10
        )

    def close_code(self):
        """With what code the server closes, whatever it says before; None without one."""
        while frame := self.receive():
            if frame[0] == 8:
                return struct.unpack(">H", frame[1][:2])[0] if len(frame[1]) >= 2 else 0
        return None

    def close(self):
        self.socket.close()
