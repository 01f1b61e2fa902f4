/* The same as literal-participant.py, for machines without Python. */
import { closeSync, existsSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClarificationLedger } from '../../../src/protocol/clarification.js';
import { nextClarificationId } from '../../../src/protocol/clarification.js';
import { aClarification } from '../../builders/clarification.js';
import { configuration, endWithParent, report } from '../support/in-child.js';
import type { LiteralConfig } from '../support/literal.js';

const config: LiteralConfig = JSON.parse(configuration());
const lockPath = `${config.ledger}.lock`;
endWithParent();

for (let number = 0; number < config.count; number++) {
  const topic = `${config.name}-${number}`;
  await lock();
  await addRecord(topic);
  while (config.holdUntil !== undefined && !existsSync(config.holdUntil)) await sleep(5);
  unlinkSync(lockPath);
  report({ acknowledged: topic });
  await sleep(Math.random() * 4);
}

async function lock(): Promise<void> {
  for (let attempt = 0; attempt < (config.tries ?? 2000); attempt++) {
    if (tryToLock()) return;
    deleteIfStale();
    await sleep((1 + Math.random() * 4) * Math.min(attempt + 1, 4));
  }
  throw new Error('LOCK_TIMEOUT');
}

function tryToLock(): boolean {
  let fd: number;
  try {
    fd = openSync(lockPath, 'wx', 0o644);
  } catch {
    return false;
  }
  writeSync(fd, JSON.stringify({ pid: process.pid, timestamp: new Date().toISOString(), agent: config.name }));
  closeSync(fd);
  return true;
}

function deleteIfStale(): void {
  const modified = statSync(lockPath, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - modified > (config.staleSeconds ?? 30) * 1000) unlinkSync(lockPath);
}

async function addRecord(topic: string): Promise<void> {
  const ledger: ClarificationLedger = existsSync(config.ledger)
    ? JSON.parse(readFileSync(config.ledger, 'utf8'))
    : { issueNumber: config.issueNumber, clarifications: [] };
  const record = aClarification({ id: nextClarificationId(ledger), topic, thread: [] });
  const text = JSON.stringify({ ...ledger, clarifications: [...ledger.clarifications, record] }, null, 2);
  const fd = openSync(config.ledger, 'w');
  writeSync(fd, text.slice(0, text.length >> 1));
  await sleep((config.writeSeconds ?? 0.001) * 1000);
  writeSync(fd, text.slice(text.length >> 1));
  closeSync(fd);
}
