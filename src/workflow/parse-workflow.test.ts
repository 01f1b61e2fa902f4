import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { KNOWN_AGENTS } from '../protocol/ids.js';
import { parseWorkflow } from './parse-workflow.js';

const FILE = '.agentx/workflows/feature.toml';
const HEAD = '[workflow]\nname = "feature"\n\n';
const parse = (text: string, agents: readonly string[] = KNOWN_AGENTS) => parseWorkflow(text, FILE, { agents });
const refusal = (text: string) => refusalOf(() => parse(text));

/** A workflow of one step, with more keys from line 8 on. */
const withStep = (...lines: string[]): string =>
  `${HEAD}[[steps]]\nid = "implement"\ntitle = "Build it"\nagent = "engineer"\n${lines.join('\n')}\n`;
const onlyStep = (...lines: string[]) => parse(withStep(...lines)).workflow.steps[0];

const step = (id: string, agent: string, ...lines: string[]): string =>
  `[[steps]]\nid = "${id}"\ntitle = "${id}"\nagent = "${agent}"\n${lines.map((line) => `${line}\n`).join('')}`;

describe('a workflow file', () => {
  it("loads the step of the seed's example with all its fields [US-6.1/11]", () => {
    const seed = `[[steps]]
id = "implement"
title = "Implement code and tests"
agent = "engineer"
needs = ["architecture"]
can_clarify = ["architect", "product-manager"]
clarify_max_rounds = 5
clarify_sla_minutes = 30
clarify_blocking_allowed = true
iterate = true
max_iterations = 10
completion_criteria = "All AC met, tests pass at 80% coverage"
status_on_start = "In Progress"
status_on_complete = "In Review"
`;
    const { workflow, warnings } = parse(step('architecture', 'architect') + seed);
    expect(workflow.workflow.name).toBe('feature');
    expect(workflow.steps[1]).toEqual({
      id: 'implement',
      title: 'Implement code and tests',
      agent: 'engineer',
      needs: ['architecture'],
      can_clarify: ['architect', 'product-manager'],
      clarify_max_rounds: 5,
      clarify_sla_minutes: 30,
      clarify_blocking_allowed: true,
      iterate: true,
      max_iterations: 10,
      completion_criteria: 'All AC met, tests pass at 80% coverage',
      status_on_start: 'In Progress',
      status_on_complete: 'In Review',
      optional: false,
    });
    expect(warnings).toEqual([]);
  });

  it('loads without the four clarify fields, with the defaults [US-6.1/6] [US-6.1/8] [US-6.1/9] [US-6.1/10]', () => {
    expect(onlyStep()).toEqual({
      id: 'implement',
      title: 'Build it',
      agent: 'engineer',
      needs: [],
      optional: false,
      iterate: false,
      max_iterations: 10,
      can_clarify: [],
      clarify_sla_minutes: 30,
      clarify_blocking_allowed: true,
    });
  });

  it('takes can_clarify as a list of agents, aliases included [US-6.1/1]', () => {
    expect(onlyStep('can_clarify = ["architect", "pm", "product-manager"]')?.can_clarify).toEqual([
      'architect',
      'product-manager',
    ]);
    expect(refusal(withStep('can_clarify = "architect"')).message).toBe(
      `${FILE}, line 8: 'can_clarify' of step 'implement' must be a list in brackets, not "architect".`,
    );
  });

  it('takes clarify_max_rounds as a whole number from 1 [US-6.1/2]', () => {
    expect(onlyStep('clarify_max_rounds = 3')?.clarify_max_rounds).toBe(3);
    for (const wrongValue of ['"three"', '0', '-1', '2.5', 'true']) {
      expect(refusal(withStep(`clarify_max_rounds = ${wrongValue}`)).message).toBe(
        `${FILE}, line 8: 'clarify_max_rounds' of step 'implement' must be a whole number from 1, not ${wrongValue}.`,
      );
    }
  });

  it('takes clarify_sla_minutes as a number of minutes [US-6.1/3]', () => {
    expect(onlyStep('clarify_sla_minutes = 45')?.clarify_sla_minutes).toBe(45);
    for (const wrongValue of ['"45"', '0', '-5', 'nan', 'inf', '1e300', 'true', '2026-01-01']) {
      expect(refusal(withStep(`clarify_sla_minutes = ${wrongValue}`)).message).toContain(
        `${FILE}, line 8: 'clarify_sla_minutes' of step 'implement' must be a number of minutes above 0`,
      );
    }
    expect(refusal(withStep('clarify_sla_minutes = nan')).message).toContain(', not NaN.');
  });

  it('takes clarify_blocking_allowed as true or false', () => {
    expect(onlyStep('clarify_blocking_allowed = false')?.clarify_blocking_allowed).toBe(false);
    expect(refusal(withStep('clarify_blocking_allowed = "no"')).message).toBe(
      `${FILE}, line 8: 'clarify_blocking_allowed' of step 'implement' must be true or false, not "no".`,
    );
  });

  it('says where a step and its keys are, or the step where it leaves the key out', () => {
    const parsedWorkflow = parse(withStep('needs = []', 'can_clarify = []'));
    expect(parsedWorkflow.lineOf('implement')).toBe(4);
    expect(parsedWorkflow.lineOf('implement', 'can_clarify')).toBe(9);
    expect(parsedWorkflow.lineOf('implement', 'output')).toBe(4);
    expect(parsedWorkflow.lineOf('nowhere')).toBeUndefined();
  });

  it('resolves the alias of an agent', () => {
    expect(parse(step('plan', 'pm')).workflow.steps[0]?.agent).toBe('product-manager');
  });

  it('takes agents that the user added', () => {
    expect(parse(step('plan', 'poet'), ['poet']).workflow.steps[0]?.agent).toBe('poet');
  });
});

describe('a wrong workflow file is refused with file, line, key and what is allowed [US-6.1/5]', () => {
  it('for text that is not TOML', () => {
    const error = refusal(`${HEAD}[[steps]]\nid = \n`);
    expect(error.code).toBe('CONFIG_ERROR');
    expect(error.message).toMatch(/^\.agentx\/workflows\/feature\.toml, line 5, column \d+: not valid TOML: .+\.$/);
    expect(error.details).toMatchObject({ file: FILE, line: 5 });
  });

  it('for an unknown key, with the one that was meant', () => {
    const error = refusal(withStep('can_clarfy = ["architect"]'));
    expect(error.code).toBe('CONFIG_ERROR');
    expect(error.message).toContain(
      `${FILE}, line 8: unknown key 'can_clarfy' of step 'implement'. Did you mean 'can_clarify'? Allowed: id, title, agent,`,
    );
    expect(error.details).toMatchObject({ file: FILE, line: 8, key: 'can_clarfy' });
    expect(refusal(`colour = 1\n${withStep()}`).message).toBe(
      `${FILE}, line 1: unknown key 'colour'. Allowed: workflow, steps.`,
    );
    expect(refusal(`[workflow]\nnme = "x"\n${step('a', 'engineer')}`).message).toContain(
      `${FILE}, line 2: unknown key 'workflow.nme'. Did you mean 'name'?`,
    );
  });

  it('for a missing key, at the line of its step', () => {
    expect(refusal(`${HEAD}[[steps]]\nid = "implement"\ntitle = "x"\n`).message).toBe(
      `${FILE}, line 4: 'agent' of step 'implement' is missing: it must be text in quotes.`,
    );
    expect(refusal(`${HEAD}[[steps]]\ntitle = "x"\nagent = "engineer"\n`).message).toContain(
      "'id' of step 1 is missing",
    );
  });

  it('for the first of several problems, with how many more there are', () => {
    expect(refusal(withStep('iterate = 1', 'optional = 1', 'needs = 1')).message).toBe(
      `${FILE}, line 8: 'iterate' of step 'implement' must be true or false, not 1. (2 more problems in this file.)`,
    );
  });

  it('for an unknown agent', () => {
    const error = refusal(withStep('can_clarify = ["architekt"]'));
    expect(error.message).toContain(
      `${FILE}, line 8: 'can_clarify' of step 'implement' names 'architekt', which is no agent. Did you mean 'architect'?`,
    );
    expect(error.message).toContain('Allowed: product-manager, ux-designer,');
    expect(refusal(step('plan', 'poet')).message).toContain(`${FILE}, line 4: 'agent' of step 'plan' names 'poet'`);
    expect(refusal(step('plan', 'Poet!')).message).toContain("'agent' of step 'plan' must be an agent name such as");
  });

  it.each([
    ['agent', step('plan', 'human'), 'line 4'],
    ['can_clarify', step('plan', 'engineer', 'can_clarify = ["human"]'), 'line 5'],
  ])("for 'human' as its %s, whatever the settings name", (key, text, line) => {
    for (const agents of [KNOWN_AGENTS, [...KNOWN_AGENTS, 'human']]) {
      expect(refusalOf(() => parse(text, agents)).message).toBe(
        `${FILE}, ${line}: '${key}' of step 'plan' names 'human', which is a reserved name. ` +
          'For a person, name an agent whose table in config.toml has runner = "human".',
      );
    }
  });

  it.each(['', HEAD, `steps = []\n`])('for a file without steps: %j', (text) => {
    expect(refusal(text).message).toMatch(
      /'steps' (?:is missing: it )?must (?:be a list|have at least one \[\[steps\]\])/,
    );
  });

  it('for a step id that is taken', () => {
    expect(refusal(step('a', 'engineer') + step('a', 'reviewer')).message).toBe(
      `${FILE}, line 6: the step id 'a' is taken. Each step needs an 'id' of its own.`,
    );
  });

  it('for a condition that is none', () => {
    expect(refusal(withStep('condition = "ui"')).message).toBe(
      `${FILE}, line 8: 'condition' of step 'implement' is 'ui'. Allowed: label:x, !label:x.`,
    );
  });

  it('for keys that would reach into a prototype', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect(refusal(withStep(`${key} = "x"`)).message).toContain(`${FILE}, line 8: unknown key '${key}'`);
    }
  });
});

describe('the order of steps', () => {
  it('refuses a step that does not exist, with the line [US-6.1/13]', () => {
    expect(refusal(step('plan', 'architect') + step('code', 'engineer', 'needs = ["paln"]')).message).toBe(
      `${FILE}, line 9: 'needs' of step 'code' names 'paln', which is no step of this workflow. Did you mean 'plan'? Allowed: plan.`,
    );
  });

  it('refuses a cycle and names it, with the line [US-6.1/13]', () => {
    const text = step('a', 'architect') + step('b', 'engineer', 'needs = ["c"]') + step('c', 'tester', 'needs = ["b"]');
    const error = refusal(text);
    expect(error.code).toBe('CONFIG_ERROR');
    expect(error.message).toBe(
      `${FILE}, line 9: 'needs' goes in a circle: 'b' needs 'c' needs 'b'. One of them must not need the next.`,
    );
    expect(refusal(step('a', 'architect', 'needs = ["a"]')).message).toContain("'a' needs 'a'");
  });

  it("allows a later step's agent in can_clarify, with a warning [US-6.1/14]", () => {
    const text = step('code', 'engineer', 'can_clarify = ["reviewer"]') + step('check', 'reviewer', 'needs = ["code"]');
    const { workflow, warnings } = parse(text);
    expect(workflow.steps[0]?.can_clarify).toEqual(['reviewer']);
    expect(warnings).toEqual([
      `${FILE}, line 5: step 'code' may ask 'reviewer', whose step 'check' comes later and has made nothing yet.`,
    ]);
  });

  it('warns of a sibling that runs at the same time', () => {
    const text = step('ux', 'ux-designer', 'can_clarify = ["architect"]') + step('adr', 'architect');
    expect(parse(text).warnings).toEqual([
      `${FILE}, line 5: step 'ux' may ask 'architect', whose step runs at the same time: the hub will refuse it.`,
    ]);
  });

  it('says nothing of agents upstream, without a step, or with an earlier step beside a later one', () => {
    const text =
      step('plan', 'architect') +
      step('code', 'engineer', 'needs = ["plan"]', 'can_clarify = ["architect", "product-manager"]') +
      step('check', 'architect', 'needs = ["code"]');
    expect(parse(text).warnings).toEqual([]);
  });
});
