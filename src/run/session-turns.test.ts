import { describe, expect, it } from 'vitest';
import { aRunHub, steps } from '../../test/builders/run-ports.js';
import { runIssue } from './run-issue.js';

describe('a session', () => {
  it('has what a brief says like the one before it only once', async () => {
    const texts = ['Paint it.', 'Paint it.', 'Paint it twice.'];
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer', iterate: true }),
      turns: {
        engineer: [
          { status: 'continue', text: 'One coat.', artifacts: [{ path: 'a.md', content: 'Red.' }] },
          { status: 'continue', text: 'Two coats.' },
          'Done.',
        ],
      },
    });
    const roles = { of: async () => texts[hub.briefs.length] };
    expect(await runIssue({ ...hub, roles }, { issueNumber: 1, wait: false })).toMatchObject({ status: 'done' });
    expect(hub.briefs.map(({ role }) => role)).toEqual(texts);
    const [session] = (await hub.store.sessions.list({ issue: 1 })).items;
    const briefs = session?.turns.map(({ brief }) => brief) ?? [];
    expect(briefs).toMatchObject([{ role: 'Paint it.', artifacts: [], step: { turn: 1 } }, {}, {}]);
    expect(briefs[1]).toEqual({
      kind: 'work',
      agent: 'engineer',
      step: hub.briefs[1]?.step,
      artifacts: [{ path: 'a.md', content: 'Red.', agent: 'engineer' }],
    });
    expect(briefs[2]).toEqual({ kind: 'work', agent: 'engineer', step: hub.briefs[2]?.step, role: 'Paint it twice.' });
  });
});
