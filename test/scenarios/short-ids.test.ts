import { describe, expect, it } from 'vitest';
import { agentx, aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';

const ASK = ['ask', '--from', 'engineer', '--to', 'pm', '--non-blocking'];

/** Three escalations: two on issue 1, one on issue 12. */
async function aBusyHuman() {
  const issues = Array.from({ length: 12 }, (_, index) => ({ title: `Issue ${index + 1}`, labels: ['type:feature'] }));
  const cwd = await aRepository({ issues, config: '[agents.product-manager]\nrunner = "human"' });
  for (const [issue, topic] of [
    ['1', 'Scope'],
    ['1', 'Names'],
    ['12', 'Format'],
  ] as const) {
    agentx(cwd, [...ASK, '--issue', issue, '--topic', topic, '-q', `What about ${topic}?`]);
  }
  await expect.poll(async () => (await storeOf(cwd).questions.list({ status: 'open' })).items.length).toBe(3);
  const questions = (await storeOf(cwd).questions.list({ status: 'open' })).items;
  return { cwd, questions };
}

describe('an id', () => {
  it('may be typed in any case, without its zeros, or as far as it is unique', async () => {
    const { cwd, questions } = await aBusyHuman();
    const shown = agentx(cwd, ['clarify', 'show', 'clr-1-2', '--json']);
    expect(shown.json()).toMatchObject({ id: 'CLR-1-002', topic: 'Names' });
    expect(agentx(cwd, ['clarify', 'show', 'CLR-12', '--json']).json()).toMatchObject({ id: 'CLR-12-001' });
    expect(agentx(cwd, ['clarify', 'resolve', 'clr-1-1', '-m', 'CSV only.', '--json']).json()).toMatchObject({
      clarificationId: 'CLR-1-001',
      status: 'resolved',
    });
    const id = questions.find(({ sourceId }) => sourceId === 'CLR-12-001')?.id ?? '';
    const answered = agentx(cwd, ['inbox', 'answer', id.slice(0, 9).toUpperCase(), '-m', 'JSON.', '--json']);
    expect(answered.json()).toMatchObject({ id, outcome: 'answered' });
  });

  it('that may be several is refused with all of them, and nothing happens', async () => {
    const { cwd, questions } = await aBusyHuman();
    const ambiguous = agentx(cwd, ['clarify', 'resolve', 'clr-1', '-m', 'x']);
    expect(ambiguous).toMatchObject({ status: 2, stdout: '' });
    expect(ambiguous.stderr).toContain("'clr-1' may be any of 3 clarifications: CLR-1-001, CLR-1-002, CLR-12-001.");
    const declined = agentx(cwd, ['inbox', 'decline', 'oq-', '--json']);
    expect(declined.status).toBe(2);
    expect(declined.json()).toMatchObject({
      error: { code: 'INVALID_INPUT', details: { candidates: questions.map(({ id }) => id).toSorted() } },
    });
    expect((await storeOf(cwd).questions.list({ status: 'open' })).items).toHaveLength(3);
  });

  it.each([
    [['clarify', 'show', 'clr-1-7'], 4, 'There is no clarification CLR-1-007.'],
    [['clarify', 'show', '1'], 2, "'1' is not a valid clarification id."],
    [['inbox', 'show', 'oq-zz'], 4, 'There is no question oq-zz.'],
    [['inbox', 'show', '../../config'], 2, 'is not a valid question id.'],
    [['assumptions', 'confirm', 'asm-1-1'], 4, 'There is no assumption ASM-1-001.'],
  ])('that is none says so: %j', async (args, status, problem) => {
    const result = agentx(await aRepository(), args);
    expect(result).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(problem) });
  });

  it('of an assumption is shortened too', async () => {
    const { cwd, questions } = await aBusyHuman();
    agentx(cwd, ['inbox', 'dismiss', questions[0]?.id ?? '']);
    expect(agentx(cwd, ['assumptions', '--json']).json()).toMatchObject({ assumptions: [{ id: 'ASM-1-001' }] });
    expect(agentx(cwd, ['assumptions', 'confirm', 'asm-1-1', '--json']).json()).toMatchObject({
      id: 'ASM-1-001',
      status: 'confirmed',
    });
  });
});
