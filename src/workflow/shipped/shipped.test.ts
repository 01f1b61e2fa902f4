import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWN_AGENTS } from '../../protocol/ids.js';
import { areParallel, WorkflowStep } from '../../protocol/workflow.js';
import { parseWorkflow } from '../parse-workflow.js';
import { downstreamOrder } from '../step-order.js';
import { roleInstructions, SHIPPED_AGENTS } from './agents.js';
import { SHIPPED_WORKFLOWS } from './workflows.js';

const parsed = (type: keyof typeof SHIPPED_WORKFLOWS) =>
  parseWorkflow(SHIPPED_WORKFLOWS[type], `.agentx/workflows/${type}.toml`, { agents: KNOWN_AGENTS });

describe('the shipped workflows', () => {
  it.each(['feature', 'story', 'bug', 'epic'] as const)(
    '%s loads without a warning and declares can_clarify [US-6.1/12]',
    (type) => {
      const { workflow, warnings } = parsed(type);
      expect(warnings).toEqual([]);
      expect(workflow.workflow).toMatchObject({ name: type, type });
      expect(workflow.steps.some((step) => step.can_clarify.length > 0)).toBe(true);
      expect(downstreamOrder(workflow)).toEqual(workflow.steps);
    },
  );

  it('build a feature from requirements over design and architecture side by side to code and review', () => {
    const { workflow } = parsed('feature');
    expect(workflow.steps.map(({ agent, can_clarify }) => [agent, can_clarify])).toEqual([
      ['product-manager', []],
      ['ux-designer', ['product-manager']],
      ['architect', ['product-manager']],
      ['engineer', ['architect', 'product-manager', 'ux-designer']],
      ['reviewer', ['engineer', 'architect']],
    ]);
    expect(areParallel(workflow, 'design', 'architecture')).toBe(true);
    expect(workflow.steps[0]?.output).toBe('docs/prd/PRD-{{issue_number}}.md');
  });
});

describe('role instructions', () => {
  it.each(SHIPPED_AGENTS)('tell %s when to ask and how to reply', (agent) => {
    const text = roleInstructions(agent);
    expect(text).toMatch(/^# [A-Z]/);
    expect(text).toMatch(/## What is yours\n\n\S.*\n\nYou ask \S/);
    expect(text).toContain('## When to ask');
    expect(text).toContain('## When to assume');
    expect(text).toContain('decision in the first sentence, then what it rests on');
    expect(text).toContain('"clarify": [{ "to": "architect"');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
  });

  it('have the analyst prefer a trade-off question over an open one [OQ-9/2]', () => {
    expect(roleInstructions('analyst')).toMatch(/Prefer a trade-off question\s+over an open one: two or three options/);
  });
});

describe('docs/workflows.md', () => {
  it('shows a workflow that loads, and every key of a step', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/workflows.md'), 'utf8');
    const [, example = ''] = /```toml\n([\s\S]*?)```/.exec(page) ?? [];
    const { workflow, warnings } = parseWorkflow(example, 'docs/workflows.md', { agents: KNOWN_AGENTS });
    expect(workflow.steps).toHaveLength(3);
    expect(warnings).toEqual([]);
    for (const key of Object.keys(WorkflowStep.shape)) expect(page).toContain(`\`${key}\``);
  });
});
