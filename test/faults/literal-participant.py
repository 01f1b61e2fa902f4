"""A participant that knows nothing but the open contract, followed to the letter.

The lock `X.json.lock` is created exclusively and then filled with pid, timestamp and agent; one that is older than
thirty seconds is deleted; the ledger is written in place; the lock is deleted. It differs from the letter in one point:
it tries more often than five times, so that it gets on beside programs that take the lock all the time.
"""
import json
import os
import random
import sys
import time
from datetime import datetime, timezone

config = json.loads(sys.argv[1])
ledger_path = config["ledger"]
lock_path = ledger_path + ".lock"
stale_seconds = config.get("staleSeconds", 30)


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def try_to_lock():
    try:
        lock = os.open(lock_path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    except FileExistsError:
        return False
    with os.fdopen(lock, "w") as file:
        json.dump({"pid": os.getpid(), "timestamp": now(), "agent": config["name"]}, file)
    return True


def delete_if_stale():
    try:
        if time.time() - os.stat(lock_path).st_mtime > stale_seconds:
            os.unlink(lock_path)
    except FileNotFoundError:
        pass


def lock():
    for attempt in range(config.get("tries", 2000)):
        if try_to_lock():
            return
        delete_if_stale()
        time.sleep(random.uniform(0.001, 0.005) * min(attempt + 1, 4))
    raise SystemExit("LOCK_TIMEOUT")


def read_ledger():
    try:
        with open(ledger_path) as file:
            return json.load(file)
    except FileNotFoundError:
        return {"issueNumber": config["issueNumber"], "clarifications": []}


def add_record(topic):
    ledger = read_ledger()
    records = ledger["clarifications"]
    last = max([int(record["id"].split("-")[2]) for record in records], default=0)
    records.append({
        "id": "CLR-%d-%03d" % (config["issueNumber"], last + 1),
        "from": "engineer", "to": "architect", "topic": topic, "blocking": True, "status": "pending",
        "round": 1, "maxRounds": 5, "created": now(), "staleAfter": now(), "resolvedAt": None, "thread": [],
    })
    text = json.dumps(ledger, indent=2)
    # In place and in two steps, as a small buffer would do it: half a ledger is there for a moment.
    with open(ledger_path, "w") as file:
        file.write(text[:len(text) // 2])
        file.flush()
        time.sleep(config.get("writeSeconds", 0.001))
        file.write(text[len(text) // 2:])


for number in range(config["count"]):
    topic = "%s-%d" % (config["name"], number)
    lock()
    add_record(topic)
    while "holdUntil" in config and not os.path.exists(config["holdUntil"]):
        time.sleep(0.005)
    os.unlink(lock_path)
    print(json.dumps({"acknowledged": topic}), flush=True)
    time.sleep(random.uniform(0, 0.004))
