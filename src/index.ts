export { type App, type AppOptions, createApp } from './app/create-app.js';
export type { Clock } from './ports/clock.js';
export type * from './ports/store.js';
export { AgentXError, type ErrorCode } from './protocol/errors.js';
export { AsyncMutex } from './storage/files/async-mutex.js';
export { FileLockManager, JsonFileLock, type JsonFileLockOptions } from './storage/files/json-file-lock.js';
export { type FileStoreOptions, openFileStore } from './storage/files/store.js';
export { openInMemoryStore } from './storage/in-memory/store.js';
