import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anAnswerBrief, aWorkBrief } from '../../test/builders/brief.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { scriptRunner } from './script.js';

const TWO_ANSWERS = `
[[turns]]
answer = "first"
[[turns]]
answer = "second"
`;

describe('a script', () => {
  it('is played in order, each turn once', async () => {
    const { run } = scriptRunner({ text: TWO_ANSWERS });
    expect(await run(aWorkBrief())).toEqual({ answer: 'first' });
    expect(await run(aWorkBrief())).toEqual({ answer: 'second' });
    await expect(run(aWorkBrief())).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: "the script has no turn left for agent 'engineer' (work, issue 42, step 'implement', round 1).",
    });
  });

  it.each([
    ['agent = "architect"', 'agent = "engineer"'],
    ['kind = "answer"', 'kind = "work"'],
    ['issue = 42', 'issue = 43'],
    ['topic = "Which database adapter"', 'topic = "Which cache"'],
    ['round = 1', 'round = 2'],
  ])('plays the turn with %s and passes over the one with %s', async (fitting, other) => {
    const { run } = scriptRunner({ text: `[[turns]]\n${other}\ntext = "no"\n[[turns]]\n${fitting}\ntext = "yes"` });
    expect(await run(anAnswerBrief())).toEqual({ text: 'yes' });
  });

  it('matches work by its step, and knows agents by their other name', async () => {
    const text = '[[turns]]\nagent = "pm"\nstep = "plan"\ntext = "planned"';
    const brief = aWorkBrief({ agent: 'product-manager', step: { id: 'plan', title: 'Plan', can_clarify: [] } });
    expect(await scriptRunner({ text }).run(brief)).toEqual({ text: 'planned' });
  });

  it('plays a turn as often as it says, 0 for ever', async () => {
    const { run } = scriptRunner({ text: '[[turns]]\ntimes = 2\ntext = "a"\n[[turns]]\ntimes = 0\ntext = "b"' });
    const texts = [];
    for (let turn = 0; turn < 5; turn++) texts.push((await run(aWorkBrief())).text);
    expect(texts).toEqual(['a', 'a', 'b', 'b', 'b']);
  });

  it('fails where it says so and goes on with the retry', async () => {
    const { run } = scriptRunner({ text: '[[turns]]\nfail = "no network"\n[[turns]]\nanswer = "A"' });
    await expect(run(anAnswerBrief())).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: "Agent 'architect' failed: no network",
    });
    expect(await run(anAnswerBrief())).toEqual({ answer: 'A' });
  });

  it('waits as long as it says, unless its caller no longer waits', async () => {
    const ready: string[] = [];
    const stop = new AbortController();
    const long = scriptRunner({ text: '[[turns]]\ndelay_ms = 600000' })
      .run(aWorkBrief(), { signal: stop.signal })
      .finally(() => ready.push('long'));
    const short = scriptRunner({ text: '[[turns]]\ndelay_ms = 1' }).run(aWorkBrief());
    await short.finally(() => ready.push('short'));
    stop.abort();
    await expect(long).rejects.toMatchObject({ name: 'AbortError' });
    expect(ready).toEqual(['short', 'long']);
  });

  it('gives every field of a reply', async () => {
    const text = `
[[turns]]
status = "continue"
clarify = [{ to = "architect", topic = "Adapter", question = "Which one?", blocking = true }]
open_questions = ["Which region?"]
[[turns.artifacts]]
path = "docs/adr.md"
content = """
# ADR
"""
`;
    expect(await scriptRunner({ text }).run(aWorkBrief())).toEqual({
      status: 'continue',
      clarify: [{ to: 'architect', topic: 'Adapter', question: 'Which one?', blocking: true }],
      open_questions: ['Which region?'],
      artifacts: [{ path: 'docs/adr.md', content: '# ADR\n' }],
    });
  });
});

describe('a script that is spread over processes', () => {
  it('goes on after the answers that the thread already holds', async () => {
    expect(await inNewProcess(TWO_ANSWERS, followUp(1))).toEqual({ answer: 'first' });
    expect(await inNewProcess(TWO_ANSWERS, followUp(2))).toEqual({ answer: 'second' });
    await expect(inNewProcess(TWO_ANSWERS, followUp(3))).rejects.toThrow('no turn left');
  });

  it('counts the same answers once if one process plays them all', async () => {
    const { run } = scriptRunner({ text: TWO_ANSWERS });
    expect(await run(followUp(1))).toEqual({ answer: 'first' });
    expect(await run(followUp(2))).toEqual({ answer: 'second' });
  });

  it('lets an earlier answer use only a turn of its own round', async () => {
    const text =
      '[[turns]]\nround = 1\nanswer = "one"\n[[turns]]\nanswer = "any"\n[[turns]]\nround = 2\nanswer = "two"';
    expect(await inNewProcess(text, followUp(2))).toEqual({ answer: 'any' });
    await expect(inNewProcess(text, followUp(3))).rejects.toThrow('no turn left');
    const exact = '[[turns]]\nround = 2\nanswer = "two"\n[[turns]]\nround = 1\nanswer = "one"';
    expect(await inNewProcess(exact, followUp(2))).toEqual({ answer: 'two' });
  });

  it('takes failures before an answer for played', async () => {
    const text = '[[turns]]\nfail = "no"\n[[turns]]\nanswer = "first"\n[[turns]]\nanswer = "second"';
    expect(await inNewProcess(text, followUp(2))).toEqual({ answer: 'second' });
  });

  it('does not count what others said in the thread', async () => {
    const brief = followUp(2, 'human');
    expect(await inNewProcess(TWO_ANSWERS, brief)).toEqual({ answer: 'first' });
  });

  it('tells work turns apart by what the brief carries', async () => {
    const text = '[[turns]]\nround = 1\ntext = "ask"\n[[turns]]\nround = 2\ntext = "go on"';
    const clarifications = [{ id: 'CLR-42-001', to: 'architect', topic: 'Adapter', status: 'answered', answer: 'A' }];
    expect(await inNewProcess(text, aWorkBrief())).toEqual({ text: 'ask' });
    expect(await inNewProcess(text, aWorkBrief({ clarifications }))).toEqual({ text: 'go on' });
  });

  function inNewProcess(text: string, brief: Parameters<ReturnType<typeof scriptRunner>['run']>[0]) {
    return scriptRunner({ text }).run(brief);
  }

  function followUp(round: number, answerer = 'architect') {
    const timestamp = '2026-02-26T10:00:00.000Z';
    const thread = Array.from({ length: round - 1 }, (_, index) => [
      { round: index + 1, from: 'engineer', type: 'question' as const, body: 'Which?', timestamp },
      { round: index + 1, from: answerer, type: 'answer' as const, body: 'This.', timestamp },
    ]).flat();
    return anAnswerBrief({ round, thread });
  }
});

describe('a script file', () => {
  it('is named in what goes wrong', async () => {
    const file = join(temporaryFolder(), 'demo.toml');
    writeFileSync(file, 'turns = []');
    await expect(scriptRunner({ file }).run(anAnswerBrief())).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: `${file} has no turn left for agent 'architect' (answer, issue 42, CLR-42-001 'Which database adapter', round 1).`,
    });
  });

  it('is refused if it is not there', () => {
    const { code, message } = refusalOf(() => scriptRunner({ file: '/no/such/script.toml' }));
    expect([code, message]).toEqual([
      'CONFIG_ERROR',
      'The script /no/such/script.toml cannot be read: there is no such file. Its path is taken from the repository.',
    ]);
  });

  it.each([
    ['[[turns]]\ntext = "a', 'the script, line 2'],
    ['', 'turns must be'],
    ['turn = []', 'unknown key turn. Allowed: turns.'],
    ['[[turns]]\nanwser = "A"', 'turn 1 has the unknown key anwser. Allowed: agent, kind, '],
    ['[[turns]]\n[[turns]]\nstatus = "finished"', 'turn 2 is not valid: status must be one of done'],
    ['[[turns]]\ntimes = -1', 'turn 1 is not valid: times must be at least 0'],
    ['[[turns]]\nround = 0', 'turn 1 is not valid: round must be at least 1'],
    ['[[turns]]\nagent = "The Boss"', "'The Boss' is not a valid agent name"],
    ['[[turns]]\n"__proto__" = { text = "a" }', '__proto__'],
  ])('is refused if it says %j', (text, problem) => {
    const { code, message } = refusalOf(() => scriptRunner({ text }));
    expect(code).toBe('CONFIG_ERROR');
    expect(message).toContain(problem);
  });
});

describe('a script of a run', () => {
  const SCRIPT = `
[[turns]]
agent = "engineer"
fail = "no network"
[[turns]]
agent = "engineer"
text = "second"
[[turns]]
agent = "engineer"
turn = 3
text = "third"
`;
  const turnOf = (turn: number) =>
    aWorkBrief({ step: { id: 'implement', title: 'Implement', can_clarify: [], turn, attempt: 1 } });

  it('goes on with the turn that the brief names, whichever process played those before', async () => {
    expect(await scriptRunner({ text: SCRIPT }).run(turnOf(2))).toEqual({ text: 'second' });
    const { run } = scriptRunner({ text: SCRIPT });
    expect(await run(turnOf(3))).toEqual({ text: 'third' });
  });

  it('plays a turn again that is asked for again, and no other in its place', async () => {
    const { run } = scriptRunner({ text: SCRIPT });
    await expect(run(turnOf(1))).rejects.toMatchObject({ code: 'AGENT_ERROR' });
    await expect(run(turnOf(1))).rejects.toMatchObject({ code: 'AGENT_ERROR' });
    expect(await run(turnOf(2))).toEqual({ text: 'second' });
    expect(await run(turnOf(2))).toEqual({ text: 'second' });
    await expect(run(turnOf(4))).rejects.toMatchObject({ message: expect.stringContaining('turn 4') });
  });

  it('takes turns that name an earlier round for played', async () => {
    const text = '[[turns]]\nround = 1\ntext = "asks"\n[[turns]]\nround = 2\ntext = "builds"';
    const refused = [{ code: 'SCOPE_VIOLATION', message: 'no' }];
    expect(await scriptRunner({ text }).run({ ...turnOf(2), refused })).toEqual({ text: 'builds' });
  });

  it('stops waiting when its caller no longer waits', async () => {
    const { run } = scriptRunner({ text: '[[turns]]\ndelay_ms = 60000' });
    await expect(run(turnOf(1), { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
