import socket
import struct
import threading
import time

from harness.load import Answer, Client


def disconnect(world):
    """clients hang up while they wait, and send one batch ten times at once"""
    service = world.begin()
    load = world.drive(senders=4)
    chance = load.journal.random

    def hang_up(seconds):
        batch = load.journal.claim()
        body = batch.body(time.time())
        head = (f"POST /v1/events HTTP/1.1\r\nHost: census\r\nAuthorization: Bearer {world.key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        whole = head + body
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", service.port)) as connection:
            connection.sendall(whole if chance.random() < 0.8 else whole[:chance.randrange(len(whole))])
            time.sleep(seconds)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", chance.randrange(2), 0))
        batch.attempts += 1
        load.answers.append(Answer(begun, time.monotonic() - begun, 0, None))

    for _ in range(world.count(40, 1_000)):
        hang_up(chance.choice([0, 0.001, 0.005, 0.02, 0.05]))
        world.fault()
    for _ in range(world.count(5, 100)):
        batch = load.journal.claim()
        clients = [Client(service.port) for _ in range(10)]
        threads = [threading.Thread(target=load.send, args=(client, batch)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for client in clients:
            client.close()
        world.verdict.expect(batch.statuses == [202] * 10, f"one batch, ten times at once: {batch.statuses}")
        world.fault()
    world.recovered(time.monotonic(), 5)
    world.finish()
