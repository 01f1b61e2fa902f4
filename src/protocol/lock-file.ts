import * as z from 'zod/mini';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/**
 * The content of a `.lock` file. The first three fields are the open contract; a program in another language may write
 * only them. Our processes add fields that identify the holder. `token` is unique per acquisition and becomes part of
 * file names. `host` and `start` (the process's start time) distinguish a living holder from a reused process id.
 * `since` (epoch milliseconds) shows which process has waited longest. `left` says that the holder let go of it and could
 * not remove it, because its folder was moved away.
 */
export const LockFile = z.looseObject({
  pid: z.int().check(z.gte(1)),
  timestamp: Timestamp,
  agent: z.string(),
  token: z.exactOptional(z.string().check(z.regex(/^[\w-]{1,80}$/, 'must be letters, digits, - and _'))),
  host: z.exactOptional(z.string()),
  start: z.exactOptional(z.int().check(z.gte(0))),
  since: z.exactOptional(z.int().check(z.gte(0))),
  left: z.exactOptional(z.boolean()),
});
export type LockFile = Shape<typeof LockFile>;
