import { setTimeout as sleep } from 'node:timers/promises';
import { loadContender, type Writer } from './lock/contender.js';
import type { FromWorker, Slice, SliceResult, ToWorker, WorkerTask } from './lock/messages.js';

/** The contenders' error codes for a lock that others kept for too long. */
const TIMEOUTS = new Set(['LOCK_TIMEOUT', 'ELOCKED', 'SQLITE_BUSY']);

const task: WorkerTask = JSON.parse(process.argv[2] ?? '');
const contender = await loadContender(task.contender);
await warmUp();
const writer = contender.openWriter(task.place);
process.on('message', (message: ToWorker) => void obey(message));
process.on('disconnect', () => process.exit());
report({ type: 'ready' });

async function warmUp(): Promise<void> {
  await contender.prepare(task.warmUp);
  const writer = contender.openWriter(task.warmUp);
  for (let count = 0; count < task.warmUp.updates; count++) await writer.update();
  writer.close?.();
}

async function obey(message: ToWorker): Promise<void> {
  if (message.type === 'slice') {
    report({ type: 'done', result: await work(message.slice) });
  } else {
    writer.close?.();
    process.disconnect();
  }
}

async function work(slice: Slice): Promise<SliceResult> {
  await sleep(slice.startAt - Date.now());
  const tally = new Tally(performance.now() + slice.milliseconds);
  await Promise.all(Array.from({ length: task.outstanding }, () => updateUntilTheEnd(writer, tally)));
  return tally.result();
}

async function updateUntilTheEnd(writer: Writer, tally: Tally): Promise<void> {
  while (performance.now() < tally.end) {
    const started = performance.now();
    try {
      await writer.update();
      tally.acknowledge(started, performance.now());
    } catch (error) {
      tally.fail(error);
      await sleep(1);
    }
  }
}

class Tally {
  readonly #latencies: number[] = [];
  #inTime = 0;
  #timeouts = 0;
  #failures = 0;
  #firstFailure: string | undefined;

  constructor(readonly end: number) {}

  acknowledge(started: number, finished: number): void {
    this.#latencies.push(finished - started);
    if (finished <= this.end) this.#inTime++;
  }

  fail(error: unknown): void {
    if (error instanceof Error && 'code' in error && TIMEOUTS.has(String(error.code))) {
      this.#timeouts++;
    } else {
      this.#failures++;
      this.#firstFailure ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }

  result(): SliceResult {
    return {
      inTime: this.#inTime,
      acknowledged: this.#latencies.length,
      latencies: Float64Array.from(this.#latencies),
      timeouts: this.#timeouts,
      failures: this.#failures,
      ...(this.#firstFailure !== undefined && { firstFailure: this.#firstFailure }),
    };
  }
}

function report(message: FromWorker): void {
  process.send?.(message);
}
