import { describe, expect, it } from 'vitest';
import { anAssumption } from '../../test/builders/assumption.js';
import { renderAssumptions } from './assumption.js';
import { UNPAINTED } from './conversation.js';

const view = { width: 80, paint: UNPAINTED, now: '2026-02-26T10:04:00.000Z', isRelative: true };

describe('assumptions', () => {
  it('are shown with where they came from and what follows if they are wrong [PM-5/10]', () => {
    const rejected = anAssumption({
      id: 'ASM-42-002',
      status: 'rejected',
      decidedBy: 'ada',
      rejection: 'Live\u001b[2J, please',
      artifacts: ['src/pay.ts'],
    });
    expect(renderAssumptions([anAssumption(), rejected], view).split('\n')).toEqual([
      'ASM-42-001 (#42, standing, confidence medium, project-manager, 4 min ago)',
      '  Stripe runs in test mode',
      '  From:     timeout_assumed',
      '  Why:      There are no keys in the repository',
      '  If wrong: low - production is untouched',
      'ASM-42-002 (#42, rejected by ada, confidence medium, project-manager, 4 min ago)',
      '  Stripe runs in test mode',
      '  From:     timeout_assumed',
      '  Why:      There are no keys in the repository',
      '  If wrong: low - production is untouched',
      '  Instead:  Live, please',
      '  Built on: src/pay.ts',
      'If it is right: agentx assumptions confirm ASM-42-001',
      'If it is not:   agentx assumptions reject ASM-42-001',
    ]);
  });

  it('as others write them have no id of ours', () => {
    const { id: _, issueNumber: __, agent: ___, createdAt: ____, status: _____, ...seed } = anAssumption();
    expect(renderAssumptions([seed], view)).toMatch(/^\(no id\) \(standing, confidence medium\)\n {2}Stripe/);
  });
});
