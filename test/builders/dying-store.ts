import type { Store } from '../../src/ports/store.js';

export interface Death {
  /** The write at which the process dies, from 1; 0 for never. */
  readonly at: number;
  /** Whether that write is done. */
  readonly isWritten: boolean;
}

export interface DyingStore {
  readonly store: Store;
  /** For writes elsewhere, such as artifacts. */
  readonly write: <R>(work: () => Promise<R>) => Promise<R>;
  readonly writes: () => number;
}

/** A store whose process is killed at the n-th write: from then on nothing is read or written. */
export function dyingStore(store: Store, death: Death): DyingStore {
  let writes = 0;
  let isDead = false;
  const kill = (): never => {
    isDead = true;
    throw new Error('killed');
  };
  const write = async <R>(work: () => Promise<R>): Promise<R> => {
    if (isDead) return kill();
    writes++;
    if (writes !== death.at) return work();
    if (death.isWritten) await work();
    return kill();
  };
  const WRITING = ['update', 'create', 'append', 'writeConfig', 'store', 'remove'];
  const dying = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: readonly unknown[]) => {
          const call = () => Promise.resolve(Reflect.apply(method, target, args));
          if (WRITING.includes(String(name))) return write(call);
          return isDead ? kill() : call();
        };
      },
    });
  return {
    store: {
      claim: async (on, options) => (isDead ? kill() : store.claim(on, options)),
      heldBy: async (on) => (isDead ? kill() : store.heldBy(on)),
      watch: (listener) => store.watch(listener),
      close: () => store.close(),
      ledgers: dying(store.ledgers),
      statuses: dying(store.statuses),
      questions: dying(store.questions),
      assumptions: dying(store.assumptions),
      issues: dying(store.issues),
      runs: dying(store.runs),
      sessions: dying(store.sessions),
      transcripts: dying(store.transcripts),
      orchestrator: dying(store.orchestrator),
      deliveries: dying(store.deliveries),
      interactions: dying(store.interactions),
      tasks: dying(store.tasks),
      observations: dying(store.observations),
    },
    write,
    writes: () => writes,
  };
}
