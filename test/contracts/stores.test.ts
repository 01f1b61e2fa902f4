import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { openInMemoryStore } from '../../src/storage/in-memory/store.js';
import { observationContract } from './observation-contract.js';
import { runContract } from './run-contract.js';
import { storeContract } from './store-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'agentx-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let opened = 0;
const inFiles = async () => openFileStore({ root: join(folder, String(opened++), '.agentx') });
storeContract('in memory', async () => openInMemoryStore());
storeContract('files', inFiles);
runContract('in memory', async () => openInMemoryStore());
runContract('files', inFiles);
observationContract('in memory', async () => openInMemoryStore());
observationContract('files', inFiles);
