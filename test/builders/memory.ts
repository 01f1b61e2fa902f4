import { createEventBus } from '../../src/app/event-bus.js';
import type { MemoryPorts, MemorySettings } from '../../src/memory/ports.js';
import type { AgentXEvent } from '../../src/ports/event-bus.js';
import type { Store } from '../../src/ports/store.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { type FixedClock, fixedClock } from './hub.js';

interface LoggedLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface TestMemory extends MemoryPorts {
  readonly store: Store;
  readonly clock: FixedClock;
  readonly lines: readonly LoggedLine[];
  readonly events: () => readonly AgentXEvent[];
}

/** Ports in memory; a token is four characters. */
export function aMemory(settings: Partial<MemorySettings> = {}, store: Store = openInMemoryStore()): TestMemory {
  const lines: LoggedLine[] = [];
  const logging =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push({ level, message, fields });
  const bus = createEventBus({ onError: () => {} });
  let idCount = 0;
  return {
    store,
    bus,
    clock: fixedClock(),
    log: { debug: logging('debug'), info: logging('info'), warn: logging('warn'), error: logging('error') },
    tokenizer: { name: 'o200k_base', count: async (text) => Math.ceil(text.length / 4) },
    settings: { enabled: true, maxTokens: 20_000, ...settings },
    random: () => (idCount++).toString(36).padStart(6, '0'),
    lines,
    events: () => bus.history(),
  };
}
