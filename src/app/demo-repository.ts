import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDER } from './find-root.js';
import { initFolder } from './init.js';

const CONFIG = `project = "demo"

[agents.architect]
runner = "script"
script = "agents.toml"

[agents.product-manager]
runner = "script"
script = "agents.toml"

[clarify]
retry_seconds = 0
`;

/** What the scripted agents say. `seconds` is how long each of them thinks. */
const script = (seconds: number): string => `
[[turns]]
agent = "architect"
round = 1
delay_ms = ${seconds * 1000}
answer = """
Repository pattern, one adapter per environment:
SQLite for development, PostgreSQL for the rest."""

[[turns]]
agent = "architect"
round = 2
delay_ms = ${seconds * 1000}
answer = "Configuration. Pool sizes stand in one file per environment."

[[turns]]
agent = "product-manager"
delay_ms = ${seconds * 1000}
times = 0
fail = "The PRD says nothing about retention."
`;

/** A repository outside any other, with agents that play a script. Returns its `.agentx` folder. */
export function makeDemoRepository({ thinkingSeconds }: { readonly thinkingSeconds: number }): string {
  const repository = mkdtempSync(join(tmpdir(), 'agentx-demo-'));
  mkdirSync(join(repository, FOLDER));
  writeFileSync(join(repository, FOLDER, 'config.toml'), CONFIG);
  writeFileSync(join(repository, 'agents.toml'), script(thinkingSeconds));
  return initFolder({ repository }).root;
}
