"""Posts bodies repeatedly, one after another: bomber.py PORT KEY A_SECOND SECONDS FILE... Prints the number of answers by
status."""

import collections
import http.client
import json
import sys
import threading
import time

port, key, rate, seconds, *paths = sys.argv[1:]
bodies = []
for path in paths:
    with open(path, "rb") as file:
        bodies.append(file.read())
headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json", "Content-Encoding": "gzip"}
answers, threads = collections.Counter(), []


def post(body):
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
    try:
        connection.request("POST", "/v1/events", body, headers)
        answers[str(connection.getresponse().status)] += 1
    except (OSError, http.client.HTTPException):
        answers["none"] += 1
    finally:
        connection.close()


# Don't wait for an answer before sending the next one.
begun = time.monotonic()
for number in range(int(float(rate) * float(seconds))):
    time.sleep(max(begun + number / float(rate) - time.monotonic(), 0))
    threads.append(threading.Thread(target=post, args=(bodies[number % len(bodies)],), daemon=True))
    threads[-1].start()
for thread in threads:
    thread.join(40)
print(json.dumps(answers))
