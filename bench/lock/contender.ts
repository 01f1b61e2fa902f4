/** One way to change a document that several processes share. */
export interface Contender {
  /** Puts the document into an empty folder. */
  prepare(place: Place): void | Promise<void>;
  /** Called once in each worker process. */
  openWriter(place: Place): Writer;
  /** Reads from outside while the workers write. */
  openReader(place: Place): Reader;
}

export interface Place {
  readonly folder: string;
  /** Whether an update counts only when it is on the disk. */
  readonly sync: boolean;
}

export interface Writer {
  /** One read-modify-write of the whole document; returning means that it is acknowledged. */
  update(): void | Promise<void>;
  close?(): void;
}

export interface Reader {
  /** How many updates the document counts. Throws if it cannot be read. */
  count(): number;
  close?(): void;
}

const LOADERS = {
  ours: () => import('./contenders/ours.js'),
  'proper-lockfile': () => import('./contenders/proper-lockfile.js'),
  sqlite: () => import('./contenders/sqlite.js'),
  seed: () => import('./contenders/seed-protocol.js'),
  flock: () => import('./contenders/flock-limit.js'),
} as const satisfies Record<string, () => Promise<{ contender: Contender }>>;

export type ContenderName = keyof typeof LOADERS;

export const CONTENDERS: Readonly<Record<ContenderName, string>> = {
  ours: 'ours',
  'proper-lockfile': 'proper-lockfile + write-file-atomic',
  sqlite: 'better-sqlite3 WAL',
  seed: 'literal seed protocol',
  flock: 'flock limit',
};

export const ALL_CONTENDERS: readonly ContenderName[] = ['ours', 'proper-lockfile', 'sqlite', 'seed', 'flock'];

/** A process loads only what it measures. */
export async function loadContender(name: ContenderName): Promise<Contender> {
  const { contender } = await LOADERS[name]();
  return contender;
}
