import { describe, expect, it } from 'vitest';
import { renderDiagnosis } from './doctor.js';

const WELL = { examined: 24, problems: [], repaired: [], locks: [] };
const problem = { file: '.agentx/config.toml', line: 3, reason: "unknown key 'mod'", todo: 'Put that right.' };
const repair = {
  file: '.agentx/state/x.json',
  summary: '3 of 4 kept.',
  lost: [],
  movedTo: '.agentx/state/x.json.corrupt-1',
};

describe('renderDiagnosis', () => {
  it.each([
    [WELL, 'All 24 files are in order.'],
    [{ ...WELL, problems: [problem] }, '1 problem.'],
    [{ ...WELL, problems: [problem, problem] }, '2 problems.'],
    [{ ...WELL, repaired: [repair] }, '1 repaired. All 24 files are in order.'],
    [{ ...WELL, repaired: [repair], problems: [problem] }, '1 repaired, 1 problem left.'],
  ])('answers first', (diagnosis, answer) => {
    expect(renderDiagnosis(diagnosis).split('\n')[0]).toBe(answer);
  });

  it('wraps what does not fit a terminal', () => {
    const reason = "agent 'reviewer' cannot be started: there is no program 'review'";
    const diagnosis = {
      ...WELL,
      problems: [{ ...problem, reason }],
      warnings: [`step 'a' may ask 'b', who comes later`],
    };
    expect(renderDiagnosis(diagnosis, { width: 40 }).split('\n')).toEqual([
      '1 problem.',
      'problem   .agentx/config.toml, line 3',
      "  Agent 'reviewer' cannot be started:",
      "  there is no program 'review'.",
      '  Put that right.',
      "warning   step 'a' may ask 'b', who",
      '          comes later',
    ]);
  });

  it('says where, why and what to do, with nothing that steers a terminal', () => {
    const lock = { file: '.agentx/state/y.json', holder: 'engineer\u001b[2J', pid: 12, since: '2026-02-26T10:00:00Z' };
    const warnings = ["step 'a' may ask 'b'\u001b[2J"];
    expect(renderDiagnosis({ ...WELL, repaired: [repair], problems: [problem], warnings, locks: [lock] })).toBe(
      [
        '1 repaired, 1 problem left.',
        'repaired  .agentx/state/x.json',
        '  3 of 4 kept.',
        '  The original is .agentx/state/x.json.corrupt-1',
        'problem   .agentx/config.toml, line 3',
        "  Unknown key 'mod'.",
        '  Put that right.',
        "warning   step 'a' may ask 'b'",
        'locked    .agentx/state/y.json',
        '  By engineer (pid 12) since 2026-02-26T10:00:00Z: it is being changed.',
      ].join('\n'),
    );
  });
});
