"""An S3 server on which nothing may be written, and the REST interface of an older Flink.

Prints both ports; serves until it is killed.
"""

import http.server
import json
import threading

DENIED = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
OLDER = {
    "/config": {"flink-version": "2.2.1"},
    "/jobmanager/config": [],
    "/taskmanagers": {"taskmanagers": []},
}


class Quiet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def reply(self, status, kind, body):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class ForbiddenBucket(Quiet):
    def do_GET(self):
        self.reply(403, "application/xml", DENIED)

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET


class OlderFlink(Quiet):
    def do_GET(self):
        answer = OLDER.get(self.path)
        status = 404 if answer is None else 200
        self.reply(status, "application/json", json.dumps(answer).encode())


servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), h) for h in (ForbiddenBucket, OlderFlink)]
print(*(s.server_address[1] for s in servers), flush=True)
threads = [threading.Thread(target=s.serve_forever) for s in servers]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
