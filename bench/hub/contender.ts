/** One way to ask, to get the answer and to go on with it, without losing any of it. */
export interface Contender {
  open(place: Place): Promise<Asker>;
}

export interface Place {
  readonly folder: string;
  /**
   * Where our store keeps documents of this kind. Bare updates write there too: the place of a folder in the file
   * system, and recent deletions near it, decide what a new file costs.
   */
  readonly documents: string;
  /** How many cycles are under way at once, and whether they share a document. */
  readonly lanes: number;
  readonly isShared: boolean;
}

export interface Asker {
  /** One cycle; lanes are numbered from 0. */
  cycle(lane: number): Promise<void>;
  close?(): void;
}

const LOADERS = {
  ours: () => import('./contenders/ours.js'),
  bare: () => import('./contenders/bare.js'),
  peers: () => import('./contenders/langgraph.js'),
  sdk: () => import('./contenders/ai-sdk.js'),
} as const;

export const CONTENDERS = {
  ours: { cycle: 'clarification', title: 'ours', load: async () => (await LOADERS.ours()).clarificationCycle },
  bare: { cycle: 'clarification', title: 'three bare updates', load: async () => (await LOADERS.bare()).threeUpdates },
  'ours-question': { cycle: 'question', title: 'ours', load: async () => (await LOADERS.ours()).questionCycle },
  'bare-question': {
    cycle: 'question',
    title: 'two bare updates',
    load: async () => (await LOADERS.bare()).twoUpdates,
  },
  langgraph: {
    cycle: 'question',
    title: 'LangGraph, sqlite saver',
    load: async () => (await LOADERS.peers()).asItComes,
  },
  'langgraph-full': {
    cycle: 'question',
    title: 'LangGraph, synchronous=FULL',
    load: async () => (await LOADERS.peers()).withFullSync,
  },
  'ai-sdk': {
    cycle: 'question',
    title: 'AI SDK approval, synced file',
    load: async () => (await LOADERS.sdk()).contender,
  },
} as const satisfies Record<string, ContenderInfo>;

interface ContenderInfo {
  readonly cycle: 'clarification' | 'question';
  readonly title: string;
  readonly load: () => Promise<Contender>;
}

export type ContenderName = keyof typeof CONTENDERS;
