/* Does one thing and signals itself at one call to the file system on the way. */
import { AgentXError } from '../../../src/protocol/errors.js';
import { JsonFileLock } from '../../../src/storage/files/json-file-lock.js';
import { openFileStore } from '../../../src/storage/files/store.js';
import { aSession } from '../../builders/session.js';
import type { ActName, ActorConfig } from '../support/actor.js';
import { configuration, endWithParent, LOCK_WAIT_MS, report } from '../support/in-child.js';
import { kinds } from '../support/kinds.js';
import { captured } from '../support/observations.js';
import { ledgerPath } from '../support/paths.js';
import { aroundEachChange } from '../support/strange-file-systems.js';

const { root, act, name, fault, lockWaitMs = LOCK_WAIT_MS, uid }: ActorConfig = JSON.parse(configuration());
endWithParent();
if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

let calls = 0;
let writes = 0;
const fs = aroundEachChange((callName, call, args) => {
  calls++;
  if (callName === 'writeSync') writes++;
  const number = fault?.when === 'amid' ? callName === 'writeSync' && writes : calls;
  if (fault?.at !== number && fault?.at !== callName) return call();
  if (fault.when === 'amid') call(halved(args));
  if (fault.when !== 'after') process.kill(process.pid, fault.signal);
  const result = call();
  if (fault.when === 'after') process.kill(process.pid, fault.signal);
  return result;
});
const store = openFileStore({ root, agent: name, lockWaitMs, fs });

const acts: Readonly<Record<ActName, () => Promise<string>[]>> = {
  'one clarification': () => [kinds.clarification.add(store, name)],
  'three clarifications': () => [1, 2, 3].map((number) => kinds.clarification.add(store, `${name}-${number}`)),
  'a question': () => [kinds.question.add(store, name)],
  'an issue': () => [kinds.issue.add(store, name)],
  reading: () => [kinds.clarification.present(store).then((topics) => topics.join(' '))],
  'a session of a run': () => [writeSession()],
  'a capture': () => [store.observations.store(captured(name)).then(() => name)],
  'counting recalls': () => [store.observations.countRecalls(captured('earlier').map(({ id }) => id)).then(() => name)],
  'compacting the memory': () => [store.observations.compact(42).then(() => name)],
  'restoring the memory': () => [store.observations.restore(42).then(() => name)],
  'rebuilding the memory': () => [store.observations.rebuild().then(() => name)],
  'a lock': () => [new JsonFileLock({ fs, waitMs: lockWaitMs }).withLock(ledgerPath(root), name, () => 'held')],
};

await Promise.all(acts[act]().map(settle));
report({ calls });

async function writeSession(): Promise<string> {
  const claim = await store.claim({ run: 42 });
  const session = aSession();
  return store.sessions.update(session.id, () => ({ next: session, result: name }), claim);
}

async function settle(acting: Promise<string>): Promise<void> {
  try {
    report({ acknowledged: await acting });
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    report({ refused: error.code, message: error.message });
  }
}

/** The arguments of a write that puts only the first half on the disk. */
function halved(args: readonly unknown[]): unknown[] {
  const [fd, content] = args;
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(String(content));
  return [fd, bytes.subarray(0, bytes.length >> 1)];
}
