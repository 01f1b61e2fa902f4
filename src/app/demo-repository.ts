import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURE } from '../workflow/shipped/feature.js';
import { demoScript } from './demo-script.js';
import { FOLDER } from './find-root.js';
import { initFolder } from './init.js';

const AGENTS = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'];

const config = (fallbackMinutes: number): string => `project = "demo"
${AGENTS.map((agent) => `\n[agents.${agent}]\nrunner = "script"\nscript = "agents.toml"\n`).join('')}
[clarify]
retry_seconds = 0

[human]
fallback_minutes = ${fallbackMinutes}
`;

/** Agents that disagree go to a human soon: five rounds are too long to watch. */
const IMPATIENT = FEATURE.replace(/^# clarify_max_rounds = 5.*$/m, 'clarify_max_rounds = 2');

/** An architect that asks the engineer, while the engineer may ask the architect elsewhere. */
const STORY = `[workflow]
name = "story"
description = "A plan, then the work"
type = "story"

[[steps]]
id = "plan"
title = "Plan how to {{title}}"
agent = "architect"
output = "docs/plans/PLAN-{{issue_number}}.md"
can_clarify = ["engineer"]
status_on_start = "In Progress"

[[steps]]
id = "implement"
title = "Do it: {{title}}"
agent = "engineer"
needs = ["plan"]
can_clarify = ["architect"]
status_on_complete = "Done"
`;

export interface DemoRequest {
  /** How much slower than at full speed the agents think: 1 is for people who watch. */
  readonly pace: number;
  /** How long a question with a fallback waits. */
  readonly fallbackMinutes: number;
}

/** A repository outside any other, with agents that play a script. Returns its `.agentx` folder. */
export function makeDemoRepository({ pace, fallbackMinutes }: DemoRequest): string {
  const repository = mkdtempSync(join(tmpdir(), 'agentx-demo-'));
  mkdirSync(join(repository, FOLDER, 'workflows'), { recursive: true });
  writeFileSync(join(repository, FOLDER, 'config.toml'), config(fallbackMinutes));
  writeFileSync(join(repository, FOLDER, 'workflows', 'feature.toml'), IMPATIENT);
  writeFileSync(join(repository, FOLDER, 'workflows', 'story.toml'), STORY);
  writeFileSync(join(repository, 'agents.toml'), demoScript(pace));
  return initFolder({ repository }).root;
}
