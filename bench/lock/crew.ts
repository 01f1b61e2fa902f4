import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Contender, type ContenderName, loadContender, type Place, type Reader } from './contender.js';
import type { FromWorker, SliceResult, ToWorker, WorkerTask } from './messages.js';

const WORKER = new URL('./lock-worker.js', import.meta.url);
const READ_EVERY_MS = 10;

export interface CrewOptions {
  readonly contender: ContenderName;
  readonly processes: number;
  readonly outstanding: number;
  readonly place: Place;
}

export interface CrewSlice {
  readonly workers: readonly SliceResult[];
  readonly reads: number;
  /** Reads that found half a document. */
  readonly unreadable: number;
}

const running = new Set<ChildProcess>();
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The processes of one contender, warm and waiting, and the document that they share. */
export class Crew {
  private constructor(
    readonly options: CrewOptions,
    private readonly workers: readonly ChildProcess[],
    private readonly reader: Reader,
  ) {}

  static async start(options: CrewOptions): Promise<Crew> {
    const contender = await loadContender(options.contender);
    await prepare(contender, options.place);
    const workers = Array.from({ length: options.processes }, (_, index) => startWorker(options, index));
    await Promise.all(workers.map((worker) => nextMessage(worker)));
    return new Crew(options, workers, contender.openReader(options.place));
  }

  async work(milliseconds: number): Promise<CrewSlice> {
    const startAt = Date.now() + 20 + 2 * this.workers.length;
    const results = Promise.all(this.workers.map((worker) => nextMessage(worker)));
    for (const worker of this.workers) tell(worker, { type: 'slice', slice: { startAt, milliseconds } });
    const { stop } = this.#lookOn();
    try {
      const workers = (await results).flatMap((message) => (message.type === 'done' ? [message.result] : []));
      return { workers, ...stop() };
    } finally {
      stop();
    }
  }

  /** How many updates the document has. */
  count(): number {
    return this.reader.count();
  }

  async stop(): Promise<void> {
    this.reader.close?.();
    const alive = this.workers.filter((worker) => running.has(worker));
    const ends = alive.map((worker) => new Promise((resolve) => worker.once('close', resolve)));
    for (const worker of alive) tell(worker, { type: 'stop' });
    await Promise.all(ends);
  }

  #lookOn(): { stop(): { reads: number; unreadable: number } } {
    let [reads, unreadable] = [0, 0];
    const timer = setInterval(() => {
      reads++;
      try {
        this.reader.count();
      } catch {
        unreadable++;
      }
    }, READ_EVERY_MS);
    const stop = () => {
      clearInterval(timer);
      return { reads, unreadable };
    };
    return { stop };
  }
}

async function prepare(contender: Contender, place: Place): Promise<void> {
  mkdirSync(place.folder, { recursive: true });
  await contender.prepare(place);
}

function startWorker({ contender, outstanding, place, processes }: CrewOptions, index: number): ChildProcess {
  const warmUpFolder = join(place.folder, '..', `${contender}-warm-up-${index}`);
  mkdirSync(warmUpFolder, { recursive: true });
  const warmUp = { folder: warmUpFolder, sync: false, updates: processes > 8 ? 40 : 200 };
  const task: WorkerTask = { contender, outstanding, place, warmUp };
  const child = fork(WORKER, [JSON.stringify(task)], { serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

function nextMessage(worker: ChildProcess): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWorker): void => {
      worker.off('close', onClose);
      resolve(message);
    };
    const onClose = (): void => {
      worker.off('message', onMessage);
      reject(new Error(`A worker ended before it had reported: ${worker.spawnargs.at(-1)}`));
    };
    worker.once('message', onMessage);
    worker.once('close', onClose);
  });
}

const tell = (worker: ChildProcess, message: ToWorker): boolean => worker.send(message);
