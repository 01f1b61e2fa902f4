import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The words that start the AgentX that this code belongs to, also where it is a library of another program. */
export function launcher(): readonly string[] {
  const files = ['agentx.cjs', '../agentx.cjs', '../../dist/agentx.cjs'].map((file) => join(import.meta.dirname, file));
  return [process.execPath, files.find((file) => existsSync(file)) ?? 'agentx.cjs'];
}
