"""A server that reads requests with h11. It prints its port and answers every request with the body of the request."""
import socket
import threading

import h11


def serve(client):
    connection = h11.Connection(h11.SERVER)
    body = b""
    try:
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(client.recv(65536))
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                head = h11.Response(status_code=200, headers=[("Content-Length", str(len(body)))])
                client.sendall(connection.send(head) + connection.send(h11.Data(data=body))
                               + (connection.send(h11.EndOfMessage()) or b""))
                body = b""
                if connection.our_state is h11.MUST_CLOSE:
                    break
                connection.start_next_cycle()
            elif isinstance(event, h11.ConnectionClosed) or event is h11.PAUSED:
                break
    except (h11.RemoteProtocolError, OSError):
        try:
            client.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        except OSError:
            pass
    client.close()


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
