import { describe, expect, it } from 'vitest';
import { anInbox, type TestInbox } from '../../test/builders/inbox.js';
import { type Autonomy, type AutonomyLevel, autonomyBrief } from '../protocol/autonomy.js';
import { answerQuestion } from './answer-question.js';
import { type Proposal, proposalsOf, propose, writeTaskConfig } from './autonomy.js';
import { isDependencyManifest } from './dependency-manifests.js';
import { declineQuestion } from './end-question.js';
import { supersedeOf } from './supersede.js';

const by = { principal: 'ada', channel: 'cli' as const };
const KINDS = ['scope', 'architecture', 'dependency'] as const;

function level(one: AutonomyLevel): Autonomy {
  return { scopeChanges: one, architectureDecisions: one, dependencyModifications: one };
}

const ask = (inbox: TestInbox, kind: Proposal['kind'], turn = 1, summary = 'Replace the cache by a table') =>
  propose(inbox, { origin: `run-1-aa/plan/${turn}/propose/0`, issueNumber: 1, agent: 'architect', kind, summary });

describe('a proposal', () => {
  it.each(KINDS)('of kind %s goes ahead where that is automated [OQ-7/6]', async (kind) => {
    const inbox = await anInbox({ settings: { autonomy: level('automated') } });
    expect(await ask(inbox, kind)).toEqual({ decision: 'automated' });
    expect((await inbox.store.questions.list()).items).toEqual([]);
  });

  it.each(KINDS)('of kind %s goes ahead and is told where that is the level [OQ-7/7]', async (kind) => {
    const inbox = await anInbox({ settings: { autonomy: level('notify_and_proceed') } });
    const { decision, question } = await ask(inbox, kind);
    expect(decision).toBe('notified');
    expect(question).toMatchObject({ kind: 'approval', blocking: false, status: 'open' });
    expect(question?.questions[0]?.text).toMatch(
      /Replace the cache by a table\nTo object: agentx assumptions reject ASM-1-001$/,
    );
    expect((await inbox.store.assumptions.list()).items).toMatchObject([{ user_response: 'inferred_from_autonomy' }]);
    expect(inbox.bus.names()).toEqual(['notification-added']);
    expect(await ask(inbox, kind)).toEqual({ decision, question });
  });

  it.each(KINDS)(
    'of kind %s is held where it needs approval, for as long as it takes [OQ-7/8] [X-1/4]',
    async (kind) => {
      const inbox = await anInbox();
      const { decision, question } = await ask(inbox, kind);
      expect(decision).toBe('held');
      expect(question).toMatchObject({ kind: 'approval', blocking: true, consequence: 'irreversible' });
      expect(question).not.toHaveProperty('expiresAt');
      expect(question?.questions[0]?.text).toContain('Your decision holds for this whole run.');
    },
  );

  it('says how to object however long it is', async () => {
    const inbox = await anInbox({ settings: { autonomy: level('notify_and_proceed') } });
    const { question } = await ask(inbox, 'scope', 1, 'Replace the cache. '.repeat(200));
    expect(question?.questions[0]?.text).toMatch(/reject ASM-1-001$/);
    expect(question?.questions[0]?.text.length).toBeLessThan(2000);
  });

  it('is decided once for its run, whichever turn says it again', async () => {
    const inbox = await anInbox();
    const { question } = await ask(inbox, 'scope');
    expect(await ask(inbox, 'scope', 2)).toMatchObject({ decision: 'held', question: { id: question?.id } });
    await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['approve'], by });
    expect(await ask(inbox, 'scope', 3)).toMatchObject({ decision: 'approved' });
    expect(await ask(inbox, 'scope', 4, 'Remove the public interface')).toMatchObject({ decision: 'held' });
    expect(await ask(inbox, 'dependency', 5)).toMatchObject({ decision: 'held' });
  });

  it('is not decided by a yes to one that is nearly the same', async () => {
    const inbox = await anInbox();
    const drop = (where: string) => `Drop the table of old orders in the ${where} database after the last import`;
    const { question } = await ask(inbox, 'scope', 1, drop('staging'));
    await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['approve'], by });
    expect(await ask(inbox, 'scope', 2, `${drop('staging')} now`)).toMatchObject({ decision: 'approved' });
    expect(await ask(inbox, 'scope', 3, drop('production'))).toMatchObject({ decision: 'held' });
    expect(await ask(inbox, 'scope', 4, `Do not: ${drop('staging')}`)).toMatchObject({ decision: 'held' });
    expect(await ask(inbox, 'scope', 5, `${drop('staging')} everywhere`)).toMatchObject({ decision: 'held' });
  });

  it('is held anew if the question about it was superseded: nobody decided it', async () => {
    const inbox = await anInbox();
    const { question } = await ask(inbox, 'scope');
    await supersedeOf(inbox, { issueNumber: 1, runId: 'run-1-aa', step: 'plan', reason: 'the step is done again' });
    expect(await inbox.store.questions.read(question?.id ?? '')).toMatchObject({ outcome: 'superseded' });
    const again = await ask(inbox, 'scope', 2);
    expect(again).toMatchObject({ decision: 'held', question: { status: 'open' } });
    expect(again.question?.id).not.toBe(question?.id);
  });

  it('is told once for its run, whichever turn says it again [OQ-7/7]', async () => {
    const inbox = await anInbox({ settings: { autonomy: level('notify_and_proceed') } });
    const first = await ask(inbox, 'scope');
    expect(await ask(inbox, 'scope', 2)).toEqual(first);
    await answerQuestion(inbox, { id: first.question?.id ?? '', optionIds: ['seen'], by });
    expect(await ask(inbox, 'scope', 3)).toMatchObject({ decision: 'notified', question: { id: first.question?.id } });
    expect(await ask(inbox, 'scope', 4, 'Remove the cache')).toMatchObject({ question: { status: 'open' } });
    expect((await inbox.store.assumptions.list()).items).toHaveLength(2);
  });

  it.each(['automated', 'notify_and_proceed'] as const)(
    'stays rejected if the level is %s from now on',
    async (now) => {
      const inbox = await anInbox();
      const { question } = await ask(inbox, 'scope');
      await answerQuestion(inbox, { id: question?.id ?? '', optionIds: ['reject'], by });
      const loose = { ...inbox, settings: { ...inbox.settings, autonomy: level(now) } };
      expect(await ask(loose, 'scope', 2)).toMatchObject({ decision: 'rejected', question: { id: question?.id } });
      expect((await ask(loose, 'scope', 3, 'Remove the cache')).decision).toBe(
        now === 'automated' ? 'automated' : 'notified',
      );
    },
  );

  it('is rejected by anything but a yes', async () => {
    const refusing = await anInbox();
    const first = await ask(refusing, 'scope');
    await answerQuestion(refusing, { id: first.question?.id ?? '', optionIds: ['reject'], by });
    expect((await ask(refusing, 'scope')).decision).toBe('rejected');
    const declining = await anInbox();
    const second = await ask(declining, 'scope');
    await declineQuestion(declining, { id: second.question?.id ?? '', by });
    expect((await ask(declining, 'scope', 2)).decision).toBe('rejected');
    expect((await declining.store.assumptions.list()).items).toEqual([]);
  });
});

describe('a changed dependency manifest', () => {
  it.each([
    'package.json',
    'web/package-lock.json',
    'requirements-dev.txt',
    'Cargo.toml',
    'go.mod',
    'api/pom.xml',
    'Gemfile',
    'a/App.csproj',
    'requirements/base.txt',
    'package.json/',
    'package.json/.',
    'package.json/x/..',
    'lpeg-1.1-1.rockspec',
    'deno.jsonc',
  ])('is %s', (path) => {
    expect(isDependencyManifest(path)).toBe(true);
  });

  it.each(['src/package.ts', 'docs/requirements.md', 'package.json.md', 'src/go.model.ts', ''])('is not %j', (path) => {
    expect(isDependencyManifest(path)).toBe(false);
  });

  it('is a proposal, said or not', () => {
    const artifacts = [
      { path: 'package.json', content: '{}' },
      { path: 'src/a.ts', content: '' },
    ];
    expect(proposalsOf({ artifacts })).toEqual([{ kind: 'dependency', summary: 'It changes package.json' }]);
    const proposal = { kind: 'dependency', summary: 'Add a date library' } as const;
    expect(proposalsOf({ artifacts, proposes: [proposal] })).toEqual([proposal]);
    expect(proposalsOf({ artifacts: artifacts.slice(1) })).toEqual([]);
  });
});

describe('agents', () => {
  const autonomy: Autonomy = {
    scopeChanges: 'requires_approval',
    architectureDecisions: 'notify_and_proceed',
    dependencyModifications: 'automated',
  };

  it('are told the levels in words [OQ-7/6] [OQ-7/7] [OQ-7/8]', () => {
    expect(autonomyBrief({ autonomy })).toEqual({
      ...autonomy,
      text:
        'Scope changes: Confirm all changes before proceeding\n' +
        'Architecture decisions: Notify user but proceed\n' +
        'Dependency modifications: Full autonomy: proceed without confirmation',
    });
  });

  it('find them in the folder of their task', async () => {
    const inbox = await anInbox({ settings: { autonomy } });
    await writeTaskConfig(inbox, 1);
    expect(await inbox.store.tasks.readConfig(1)).toMatchObject({ taskId: '1', hilConfig: autonomy });
  });
});
