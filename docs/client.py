#!/usr/bin/env python3
"""Talks to `lightcone view` with nothing but Python's own library: docs/viewer-protocol.md.

    python3 client.py http://127.0.0.1:8080/ GENERATIONS

steps the universe that is there, and draws its middle in the terminal, a character for two cells.
"""
import base64, hashlib, json, os, socket, struct, sys, zlib
from urllib.parse import parse_qs, urlsplit

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455, which describes WebSockets


class Viewer:
    def __init__(self, address):
        url, key = urlsplit(address), base64.b64encode(os.urandom(16)).decode()
        token = parse_qs(url.fragment).get("token", [""])[0]
        self.socket = socket.create_connection((url.hostname, url.port or 80))
        self.file = self.socket.makefile("rb")
        self.number, self.last = 0, {}  # the last message of each kind
        self.socket.sendall((
            f"GET /socket HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Protocol: lightcone-view\r\n"
            + (f"Authorization: Bearer {token}\r\n" if token else "") + "\r\n").encode())
        head = iter(self.file.readline, b"\r\n")
        status, accept = next(head), base64.b64encode(hashlib.sha1((key + GUID).encode()).digest())
        if accept not in {line.split(b": ", 1)[-1].strip() for line in head}:
            raise SystemExit("client.py: not let in: " + status.decode().strip())

    def send(self, payload, opcode=1):
        size, mask = len(payload), os.urandom(4)
        length = struct.pack(">B", 128 | size) if size < 126 else struct.pack(">BH", 254, size)
        body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.socket.sendall(bytes([128 | opcode]) + length + mask + body)

    def receive(self):
        """The next message: a dictionary, or the bytes of a picture."""
        message, final = b"", False
        while not final:
            first, size = self.file.read(2)
            if size >= 126:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            payload, opcode, final = self.file.read(size), first & 15, first >> 7
            if opcode == 9:  # a ping
                self.send(payload, 10)
            if opcode == 8:
                raise SystemExit("client.py: the server has closed the connection")
            if opcode >= 8:
                final = False
                continue
            kind, message = opcode or kind, message + payload
        if kind == 2:
            return message
        message = json.loads(message)
        self.last[message["is"]] = message
        return message

    def ask(self, **message):
        """Sends a message and waits for its answer."""
        self.number += 1
        self.send(json.dumps({**message, "id": self.number}).encode())
        while True:
            answer = self.receive()
            if isinstance(answer, dict) and answer.get("re") == self.number:
                if answer["is"] == "error":
                    raise SystemExit("client.py: " + answer["text"])
                return answer


def draw(picture):
    header, payload = struct.unpack_from("<BBBBIqqIIII", picture), picture[72:]
    width, height, pitch = header[7], header[8], (header[7] + 7) // 8
    payload = zlib.decompress(payload) if header[1] else payload
    alive = lambda x, y: y < height and payload[y * pitch + x // 8] >> x % 8 & 1
    for y in range(0, height, 2):
        print("".join(" ▀▄█"[alive(x, y) + 2 * alive(x, y + 1)] for x in range(width)).rstrip())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    viewer = Viewer(sys.argv[1])
    while "state" not in viewer.last:
        viewer.receive()
    target = int(viewer.last["state"]["generation"]) + int(sys.argv[2])
    viewer.ask(do="step", generations=sys.argv[2])
    while int((state := viewer.last["state"])["generation"]) < target and state["population"] != "0":
        viewer.receive()
    box = viewer.ask(do="box")["box"] or {"x": 0, "y": 0, "width": 1, "height": 1}
    left, top, width, height = (int(box[name]) for name in ("x", "y", "width", "height"))
    x, y = left + width // 2 - 36, top + height // 2 - 20
    viewer.ask(do="look", look=1, x=x, y=y, scale=0, width=72, height=40)
    while isinstance(picture := viewer.receive(), dict):
        pass
    draw(picture)
    print("generation", state["generation"])
