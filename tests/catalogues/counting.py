"""A proxy that counts the calls which pass through it."""

from __future__ import annotations

import http.client
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP = {"connection", "transfer-encoding", "content-length"}


@contextmanager
def counted(address: str) -> Iterator[tuple[str, Counter[str]]]:
    """The address to call instead of this one, and how many calls of each kind there were."""
    calls: Counter[str] = Counter()
    behind = urlsplit(address).netloc

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def pass_on(self) -> None:
            calls[kind(self.command, self.path, self.headers.get("X-Amz-Target"))] += 1
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            connection = http.client.HTTPConnection(behind)
            given = {name: value for name, value in self.headers.items() if name != "Connection"}
            connection.request(self.command, self.path, sent, given)
            answer = connection.getresponse()
            body = answer.read()
            self.send_response(answer.status, answer.reason)
            for name, value in answer.getheaders():
                if name.lower() not in HOP:
                    self.send_header(name, value)
            length = answer.getheader("Content-Length") if self.command == "HEAD" else None
            self.send_header("Content-Length", length or str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            connection.close()

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = pass_on  # noqa: N815

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", calls
        finally:
            server.shutdown()
            serving.join()


def kind(method: str, path: str, target: str | None) -> str:
    """What a call asks for: of Glue its operation, of S3 its method, of a REST server its path."""
    if target:
        return f"Glue {target.split('.')[-1]}"
    place = urlsplit(path).path
    if not place.startswith("/v1/"):
        return f"S3 {method}" + (" list" if "list-type" in path else "")
    place = re.sub(r"/namespaces/[^/]+", "/namespaces/{}", place)
    return f"REST {method} " + re.sub(r"/(tables|views)/[^/]+", r"/\1/{}", place[4:])
