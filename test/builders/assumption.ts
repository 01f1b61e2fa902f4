import type { Assumption } from '../../src/protocol/assumption.js';

export function anAssumption(fields: Partial<Assumption> = {}): Assumption {
  return {
    decision: 'Stripe runs in test mode',
    blocker_type: 'missing_external_data',
    user_response: 'timeout_assumed',
    reasoning: 'There are no keys in the repository',
    confidence: 'medium',
    risk_if_wrong: 'low - production is untouched',
    id: 'ASM-42-001',
    issueNumber: 42,
    agent: 'project-manager',
    artifacts: [],
    status: 'standing',
    createdAt: '2026-02-26T10:00:00.000Z',
    ...fields,
  };
}
