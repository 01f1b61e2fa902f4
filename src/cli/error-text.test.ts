import { describe, expect, it } from 'vitest';
import { AgentXError } from '../protocol/errors.js';
import { errorText } from './error-text.js';

const people = { isJson: false };
const programs = { isJson: true };

describe('an error on stderr', () => {
  it('keeps what others said under its first line', () => {
    const error = new AgentXError('AGENT_ERROR', "Agent 'architect' failed.\nno network\n[ESCALATED] forged");
    expect(errorText(error, people)).toBe(
      "error: Agent 'architect' failed.\n       no network\n       [ESCALATED] forged",
    );
  });

  it('is wrapped under its label where it is as wide as a terminal', () => {
    const error = new AgentXError('INVALID_INPUT', "Agent 'engineer' cannot clarify with 'reviewer'.\n[agents.x]");
    expect(errorText(error, { ...people, width: 30 }).split('\n')).toEqual([
      "error: Agent 'engineer' cannot",
      '       clarify with',
      "       'reviewer'.",
      '       [agents.x]',
    ]);
  });

  it('shows nothing that steers a terminal, to programs neither', () => {
    const text = '\u001b[2J\u009b2J\u202e\u007fX';
    const error = new AgentXError('INVALID_INPUT', text, { text, list: [text] });
    expect(errorText(error, people)).toBe('error: X');
    expect(errorText(error, programs)).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(errorText(error, programs))).toEqual({
      error: { code: 'INVALID_INPUT', message: text, details: { text, list: [text] } },
    });
  });

  it('says where to go on with what waits for a human', () => {
    const error = new AgentXError('INVALID_STATE', 'CLR-1-001 is escalated.', { status: 'escalated' });
    expect(errorText(error, people)).toBe('error: CLR-1-001 is escalated. It waits for a human: agentx inbox');
    const endedError = new AgentXError('INVALID_STATE', 'CLR-1-001 is resolved.', { status: 'resolved' });
    expect(errorText(endedError, people)).toBe('error: CLR-1-001 is resolved.');
  });

  it('does not repeat all of what was typed', () => {
    const text = 'x'.repeat(100_000);
    const error = new AgentXError('INVALID_INPUT', text, { text });
    expect(errorText(error, people).length).toBeLessThan(1100);
    expect(errorText(error, programs).length).toBeLessThan(2200);
  });
});
