import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { fixedClock, recordingBus } from './hub.js';

/** An empty board at ten o'clock. */
export function aBoard() {
  return { store: openInMemoryStore(), bus: recordingBus(), clock: fixedClock(), projectId: 'shop' };
}
