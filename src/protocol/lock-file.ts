import * as z from 'zod/mini';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/**
 * What stands in a `.lock` file. The first three fields are the open contract; a program in another language may write
 * only them. Ours add who exactly holds it: `token` is unique per acquisition, `host` and `start` (the process's start
 * time) tell a living holder from a reused process id.
 */
export const LockFile = z.looseObject({
  pid: z.int(),
  timestamp: Timestamp,
  agent: z.string(),
  token: z.exactOptional(z.string()),
  host: z.exactOptional(z.string()),
  start: z.exactOptional(z.string()),
});
export type LockFile = Shape<typeof LockFile>;
