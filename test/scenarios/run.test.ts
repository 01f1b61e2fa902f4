import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, eventsOf, fileOf, storeOf } from './support/runs.js';

const step = (id: string, agent: string, more = ''): string =>
  `[[steps]]\nid = "${id}"\ntitle = "${id} of {{title}}"\nagent = "${agent}"\n${more}\n`;

describe('agentx run', () => {
  it('carries a feature from its requirements to its review [US-2.2/24]', async () => {
    const cwd = await aRunnable({
      steps: [
        step(
          'requirements',
          'product-manager',
          'output = "docs/PRD-{{issue_number}}.md"\nstatus_on_start = "In Progress"',
        ),
        step('design', 'ux-designer', 'needs = ["requirements"]'),
        step('architecture', 'architect', 'needs = ["requirements"]\noutput = "docs/ADR-{{issue_number}}.md"'),
        step('implement', 'engineer', 'needs = ["design", "architecture"]\ncan_clarify = ["architect"]'),
        step('review', 'reviewer', 'needs = ["implement"]\nstatus_on_complete = "Done"'),
      ].join('\n'),
      script: `
        [[turns]]
        agent = "product-manager"
        artifacts = [{ path = "docs/PRD-1.md", content = "# PRD" }]
        [[turns]]
        agent = "ux-designer"
        text = "One word, one colour."
        [[turns]]
        agent = "architect"
        kind = "work"
        artifacts = [{ path = "docs/ADR-1.md", content = "# ADR" }]
        [[turns]]
        agent = "engineer"
        clarify = [{ to = "architect", topic = "Database layer", question = "Two adapters, or migrate?" }]
        [[turns]]
        agent = "architect"
        kind = "answer"
        round = 1
        answer = "Two adapters."
        [[turns]]
        agent = "engineer"
        clarify = [{ id = "CLR-1-001", to = "architect", topic = "Database layer", question = "And pooling?" }]
        [[turns]]
        agent = "architect"
        kind = "answer"
        round = 2
        answer = "Configuration."
        [[turns]]
        agent = "engineer"
        resolve = [{ id = "CLR-1-001", body = "Clear." }]
        artifacts = [{ path = "src/health.js", content = "up" }]
        [[turns]]
        agent = "reviewer"
        review = { verdict = "approved" }`,
    });
    const { status, stdout, stderr } = agentx(cwd, ['run', '1']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^#1 Health endpoint {2}\(story, 5 steps\)\n/);
    const talk = stdout.slice(stdout.indexOf('[Engineer -> '), stdout.indexOf('Continuing...'));
    expect(talk).toBe(
      [
        '[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 1/5, blocking)',
        '  Two adapters, or migrate?',
        '[Architect] Two adapters.',
        '[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 2/5, blocking)',
        '  And pooling?',
        '[Architect] Configuration.',
        '[Engineer] Clarification resolved. ',
      ].join('\n'),
    );
    expect(stdout).toMatch(/\[Engineer\] .*implement of Health endpoint .*done .*s\n {2}src\/health.js\n/);
    expect(stdout).toMatch(/\nRun complete: iterations=\d+, tools=\d+, rounds=2, time=[\d.]+s, exit=complete\.\n$/);
    expect(fileOf(cwd, 'src/health.js')).toBe('up');
    expect(await storeOf(cwd).issues.read(1)).toMatchObject({ status: 'Done', taskStatus: 'done' });

    const again = agentx(cwd, ['run', '1']);
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('#1 is done already.');
  });

  it('lets parallel steps each ask upstream, and refuses what they would ask each other [CL-6/1] [CL-6/2]', async () => {
    const ask = (to: string, topic: string) => `{ to = "${to}", topic = "${topic}", question = "${topic}?" }`;
    const cwd = await aRunnable({
      steps: [
        step('requirements', 'product-manager'),
        step('design', 'ux-designer', 'needs = ["requirements"]\ncan_clarify = ["product-manager", "architect"]'),
        step('architecture', 'architect', 'needs = ["requirements"]\ncan_clarify = ["product-manager", "ux-designer"]'),
      ].join('\n'),
      script: `
        [[turns]]
        agent = "product-manager"
        kind = "work"
        [[turns]]
        agent = "ux-designer"
        clarify = [${ask('product-manager', 'Colours')}, ${ask('architect', 'Speed')}]
        [[turns]]
        agent = "architect"
        clarify = [${ask('product-manager', 'Load')}, ${ask('ux-designer', 'Layout')}]
        [[turns]]
        agent = "product-manager"
        kind = "answer"
        times = 0
        answer = "As you like."
        [[turns]]
        agent = "ux-designer"
        [[turns]]
        agent = "architect"`,
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('[UX Designer -> Product Manager] Clarification: Colours');
    expect(stdout).toContain('[Architect -> Product Manager] Clarification: Load');
    expect(stdout).toContain('[UX Designer] is refused (SCOPE_VIOLATION): ');
    expect(stdout).toContain('[Architect] is refused (SCOPE_VIOLATION): ');
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications.map(({ to, status }) => [to, status])).toEqual([
      ['product-manager', 'resolved'],
      ['product-manager', 'resolved'],
    ]);
  });

  it('sends rejected work back and has it reviewed again [US-6.2/17]', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer') + step('review', 'reviewer', 'needs = ["implement"]'),
      script: `
        [[turns]]
        agent = "engineer"
        artifacts = [{ path = "health.js", content = "first" }]
        [[turns]]
        agent = "reviewer"
        review = { verdict = "rejected", cause = "misunderstanding", body = "Where are the tests?" }
        [[turns]]
        agent = "engineer"
        artifacts = [{ path = "health.js", content = "second" }]
        [[turns]]
        agent = "reviewer"
        review = { verdict = "approved" }`,
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('[Reviewer] sends the work back to implement: Where are the tests?');
    expect(stdout.match(/implement of Health endpoint .*done/g)).toHaveLength(2);
    expect(fileOf(cwd, 'health.js')).toBe('second');
  });

  it('goes round until the agent says that it is done', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer', 'iterate = true\nmax_iterations = 5'),
      script: `
        [[turns]]
        agent = "engineer"
        times = 2
        status = "continue"
        [[turns]]
        agent = "engineer"
        status = "done"`,
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    const run = await storeOf(cwd).runs.read(1);
    expect(run?.journal.filter(({ type }) => type === 'turn-ended')).toHaveLength(3);
  });

  it('asks what next when it went round too often, and goes on when told to [US-6.1/16]', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer', 'iterate = true\nmax_iterations = 2'),
      script: '[[turns]]\nagent = "engineer"\ntimes = 0\nstatus = "continue"',
    });
    const paused = agentx(cwd, ['run', '1']);
    expect(paused.status).toBe(3);
    expect(paused.stdout).toContain('went round 2 times');
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(question).toMatchObject({ kind: 'agent_failed', issueNumber: 1 });
    expect(agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'skip']).status).toBe(0);
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/implement of Health endpoint .*skipped/);
  });

  it('asks what next when an agent failed twice; stop ends the run', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer'),
      script: '[[turns]]\nagent = "engineer"\ntimes = 0\nfail = "no network"',
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(3);
    expect(stdout.match(/\[Engineer\] failed: .*no network/g)).toHaveLength(2);
    expect(stdout).toMatch(/\[QUESTION\] .*\n[\s\S]*retry\) [\s\S]*skip\) [\s\S]*stop\) /);
    expect(stdout).toMatch(/Run paused: .*\nWaits for you: agentx inbox, then: agentx run 1\n$/);
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'stop']).status).toBe(0);
    const stopped = agentx(cwd, ['run', '1']);
    expect(stopped.status).toBe(1);
    expect(stopped.stdout).toMatch(/Run failed: .*\n.*implement/);
  });

  it('leaves out steps whose condition is not met, and goes on without an optional one that fails [US-6.1/15]', async () => {
    const cwd = await aRunnable({
      steps: [
        step('design', 'ux-designer', 'condition = "label:ui"'),
        step('load', 'tester', 'optional = true'),
        step('implement', 'engineer', 'needs = ["design", "load"]\ncondition = "!label:docs"'),
      ].join('\n'),
      script: `
        [[turns]]
        agent = "tester"
        times = 0
        fail = "no load generator"
        [[turns]]
        agent = "engineer"
        artifacts = [{ path = "health.js", content = "up" }]`,
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\[UX Designer\] .*skipped\n {2}its condition label:ui is not met/);
    expect(stdout).toMatch(/\[Tester\] .*failed/);
    expect(fileOf(cwd, 'health.js')).toBe('up');
  });

  it('goes on with the workflow it began with when the file changes, and says so', async () => {
    const steps = step('plan', 'architect') + step('implement', 'engineer', 'needs = ["plan"]');
    const cwd = await aRunnable({
      steps,
      script: `
        [[turns]]
        agent = "architect"
        open_questions = ["SQLite or PostgreSQL?"]
        round = 1
        [[turns]]
        agent = "architect"
        round = 2
        [[turns]]
        agent = "engineer"
        artifacts = [{ path = "health.js", content = "up" }]`,
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    writeFileSync(join(cwd, '.agentx/workflows/story.toml'), `[workflow]\nname = "story"\n${step('other', 'tester')}`);
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', 'SQLite']).status).toBe(0);
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('#1 Health endpoint  (story, 2 steps, goes on where it was)');
    expect(stdout).toMatch(/story\.toml: The file has changed\. The run goes on with the workflow it began with\./);
    expect(fileOf(cwd, 'health.js')).toBe('up');
  });

  it('acts on everything that one reply holds', async () => {
    const cwd = await aRunnable({
      steps: step('plan', 'architect') + step('implement', 'engineer', 'needs = ["plan"]\ncan_clarify = ["architect"]'),
      script: `
        [[turns]]
        agent = "architect"
        kind = "work"
        [[turns]]
        agent = "engineer"
        round = 1
        text = "Everything at once."
        artifacts = [{ path = "health.js", content = "up" }, { path = "../outside.js", content = "no" }]
        clarify = [
          { to = "architect", topic = "Database layer", question = "Which?" },
          { to = "reviewer", topic = "Style", question = "Which?" },
        ]
        open_questions = [{ text = "How long are logs kept?", options = [{ label = "30 days" }, { label = "1 year" }] }]
        assumptions = [{ decision = "JSON", reasoning = "everybody reads it", confidence = "high", risk_if_wrong = "low" }]
        observations = [{ category = "decision", content = "JSON it is." }]
        issues = [{ title = "Write the documentation" }]
        [[turns]]
        agent = "architect"
        kind = "answer"
        answer = "SQLite."
        [[turns]]
        agent = "engineer"
        status = "done"`,
    });
    const paused = agentx(cwd, ['run', '1']);
    expect(paused.status).toBe(3);
    expect(paused.stdout).toContain('[Architect] SQLite.');
    expect(paused.stdout).toContain('How long are logs kept?');
    expect(paused.stdout).toContain('[Engineer] is refused (SCOPE_VIOLATION): ');
    expect(paused.stdout).toContain('outside.js');
    const store = storeOf(cwd);
    const [question] = (await store.questions.list({ status: 'open' })).items;
    expect(agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'a']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'health.js')).toBe('up');
    expect(existsSync(join(cwd, '../outside.js'))).toBe(false);
    expect((await store.ledgers.read(1)).clarifications).toMatchObject([{ id: 'CLR-1-001', status: 'resolved' }]);
    expect((await store.assumptions.read(1)).assumptions_made).toMatchObject([{ decision: 'JSON' }]);
    expect((await store.issues.list()).items.map(({ title }) => title)).toEqual([
      'Health endpoint',
      'Write the documentation',
    ]);
  });

  it('takes a reply that lies about its shape for a failed turn', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer'),
      config: commandAgent('engineer'),
      files: {
        'engineer.mjs': agentProgram(`
          if (brief.step.turn === 1) reply({ status: 'done', artifacts: 'health.js', clarify: { to: 7 } });
          else reply({ status: 'done', artifacts: [{ path: 'health.js', content: 'up' }] });
        `),
      },
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\[Engineer\] failed: .*not what it claims to be/);
    expect(fileOf(cwd, 'health.js')).toBe('up');
  });

  it('pauses for a human and goes on with the answer in the brief [US-6.2/13]', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer'),
      config: commandAgent('engineer'),
      files: {
        'engineer.mjs': agentProgram(`
          const [answer] = brief.answers;
          if (answer === undefined) reply({ open_questions: ['How long are logs kept?'] });
          else reply({ artifacts: [{ path: 'retention.txt', content: answer.answer }] });
        `),
      },
    });
    const first = agentx(cwd, ['run', '1', '--json']);
    expect(first.status).toBe(3);
    const events = eventsOf(first);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run-started', 'step-started', 'turn-started', 'turn-ended', 'notification-added']),
    );
    expect(events.filter(({ type }) => type === 'run-finished')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'run-finished', status: 'paused', summary: { iterations: 1 } });
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(events.at(-1)?.waitingOn).toEqual([question?.id]);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', '30 days']).status).toBe(0);
    const second = agentx(cwd, ['run', '1', '--json']);
    expect(second.status).toBe(0);
    expect(eventsOf(second).at(-1)).toMatchObject({ type: 'run-finished', status: 'done' });
    expect(fileOf(cwd, 'retention.txt')).toBe('30 days');
  });

  it('follows another workflow where one is named, and says which there are otherwise', async () => {
    const cwd = await aRunnable({
      steps: step('implement', 'engineer'),
      script: '[[turns]]\nagent = "engineer"\ntext = "Only written about."\n',
      files: { '.agentx/workflows/spike.toml': `[workflow]\nname = "spike"\n${step('explore', 'engineer')}` },
    });
    const wrong = agentx(cwd, ['run', '1', '--workflow', 'spkie']);
    expect(wrong.status).not.toBe(0);
    expect(wrong.stderr).toContain('spike');
    const { status, stdout } = agentx(cwd, ['run', '1', '--workflow', 'spike']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^#1 Health endpoint {2}\(spike, 1 step\)\n/);
    expect(stdout).toContain('explore of Health endpoint');
    expect(stdout).toContain('  Only written about.');
  });
});
