import { describe, expect, it } from 'vitest';
import { aWorkflow, aWorkflowWith } from '../../test/builders/hub.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { scopeOf } from './scope.js';

const asks = { from: 'engineer', to: 'architect', blocking: true };

describe('the scope guard', () => {
  it('lets an agent ask whom its step lists [US-2.1/2]', () => {
    expect(scopeOf(aWorkflow(), asks)).toMatchObject({ step: { id: 'implement' }, maxRounds: 5, slaMinutes: 30 });
    expect(scopeOf(aWorkflow(), { ...asks, blocking: false }).maxRounds).toBe(6);
  });

  it('refuses whom the list does not name, and says where it stands [CL-3/1] [US-2.1/2]', () => {
    const refusal = refusalOf(() => scopeOf(aWorkflow(), { ...asks, to: 'reviewer' }));
    expect(refusal.code).toBe('SCOPE_VIOLATION');
    expect(refusal.message).toBe(
      "Agent 'engineer' cannot clarify with 'reviewer'. Allowed: architect, product-manager. " +
        "The list is can_clarify of step 'implement' in .agentx/workflows/feature.toml, line 41.",
    );
    expect(refusal.details).toMatchObject({
      from: 'engineer',
      to: 'reviewer',
      allowed: ['architect', 'product-manager'],
      file: '.agentx/workflows/feature.toml',
      line: 41,
      step: 'implement',
    });
  });

  it('lets an agent ask one that works beside it now, and has another step behind it', () => {
    const step = (id: string, agent: string, needs: readonly string[] = [], can_clarify: readonly string[] = []) => ({
      id,
      title: id,
      agent,
      needs: [...needs],
      can_clarify: [...can_clarify],
    });
    const beside = [step('ux', 'architect', ['prd']), step('implement', 'engineer', ['prd'], ['architect'])];
    const workflowOf = (steps: ReturnType<typeof step>[]) => {
      const located = aWorkflow();
      const [first] = located.workflow.steps;
      if (first === undefined) throw new Error('unreachable');
      return { ...located, workflow: { ...located.workflow, steps: steps.map((one) => ({ ...first, ...one })) } };
    };
    const finished = step('prd', 'architect');
    expect(scopeOf(workflowOf([finished, ...beside]), asks).step.id).toBe('implement');
    const other = step('prd', 'product-manager');
    expect(refusalOf(() => scopeOf(workflowOf([other, ...beside]), asks)).code).toBe('SCOPE_VIOLATION');
  });

  it('refuses everything to a step without a list [US-2.1/3]', () => {
    const refusal = refusalOf(() => scopeOf(aWorkflow(), { ...asks, from: 'product-manager' }));
    expect(refusal.code).toBe('SCOPE_VIOLATION');
    expect(refusal.message).toBe(
      "Agent 'product-manager' cannot clarify with 'architect'. Allowed: nobody. " +
        "Step 'prd' has no can_clarify list (.agentx/workflows/feature.toml, line 10).",
    );
  });

  it('refuses an agent without a step', () => {
    const refusal = refusalOf(() => scopeOf(aWorkflow(), { ...asks, from: 'tester' }));
    expect(refusal.code).toBe('SCOPE_VIOLATION');
    expect(refusal.message).toMatch(/'tester' has no step in workflow 'feature'.*product-manager, ux-designer/);
  });

  it('refuses to block where the step forbids it', () => {
    const refusal = refusalOf(() => scopeOf(aWorkflow(), { from: 'reviewer', to: 'engineer', blocking: true }));
    expect(refusal.code).toBe('SCOPE_VIOLATION');
    expect(refusal.message).toMatch(/'reviewer' cannot wait for 'engineer'. Allowed: non-blocking.*line 51/);
    expect(scopeOf(aWorkflow(), { from: 'reviewer', to: 'engineer', blocking: false }).step.id).toBe('review');
  });

  it('refuses a parallel sibling even where the list names it [CL-6/2]', () => {
    const refusal = refusalOf(() => scopeOf(aWorkflow(), { from: 'ux-designer', to: 'architect', blocking: true }));
    expect(refusal.code).toBe('SCOPE_VIOLATION');
    expect(refusal.message).toMatch(/'ux-designer' cannot clarify with 'architect', whose work runs in parallel/);
  });

  it('lets parallel steps ask the agent before them [CL-6/1]', () => {
    for (const from of ['ux-designer', 'architect']) {
      expect(scopeOf(aWorkflow(), { from, to: 'product-manager', blocking: true }).maxRounds).toBe(5);
    }
  });

  it('lets an agent ask a later step, and one that has no step', () => {
    expect(scopeOf(aWorkflow(), { from: 'architect', to: 'engineer', blocking: true }).step.id).toBe('design');
    const workflow = aWorkflowWith('implement', { can_clarify: ['data-scientist'] });
    expect(scopeOf(workflow, { ...asks, to: 'data-scientist' }).step.id).toBe('implement');
  });

  it('goes by the running step, else by the first step of the agent [US-2.1/15]', () => {
    const workflow = aWorkflow([
      { id: 'design', title: 'Design', agent: 'architect' },
      { id: 'build', title: 'Build', agent: 'engineer', needs: ['design'], can_clarify: ['architect'] },
      { id: 'fix', title: 'Fix', agent: 'engineer', needs: ['build'], can_clarify: ['reviewer'] },
    ]);
    expect(scopeOf(workflow, asks).step.id).toBe('build');
    expect(scopeOf(workflow, { ...asks, to: 'reviewer', stepId: 'fix' }).step.id).toBe('fix');
    expect(scopeOf(workflow, { ...asks, to: 'reviewer', running: ['fix'] }).step.id).toBe('fix');
    expect(scopeOf(workflow, { ...asks, running: ['design'] }).step.id).toBe('build');
    expect(scopeOf(workflow, { ...asks, to: 'reviewer', running: ['build', 'fix'] }).step.id).toBe('fix');
    expect(refusalOf(() => scopeOf(workflow, { ...asks, running: ['fix'] })).code).toBe('SCOPE_VIOLATION');
    expect(refusalOf(() => scopeOf(workflow, { ...asks, stepId: 'fix' })).code).toBe('SCOPE_VIOLATION');
    expect(refusalOf(() => scopeOf(workflow, { ...asks, stepId: 'design' })).message).toMatch(/no step 'design'/);
    expect(refusalOf(() => scopeOf(workflow, { ...asks, from: 'tester' })).code).toBe('SCOPE_VIOLATION');
  });
});
