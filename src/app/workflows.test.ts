import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { anIssue } from '../../test/builders/issue.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { KNOWN_AGENTS } from '../protocol/ids.js';
import { CLOCK_STEP_MS } from '../storage/files/file-system.js';
import { openWorkflows } from './workflows.js';

const STEPS = '[[steps]]\nid = "only"\ntitle = "x"\nagent = "engineer"\n';

function aFolder() {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(join(root, 'workflows'), { recursive: true });
  const warnings: string[] = [];
  return {
    write: (name: string, text: string) => writeFileSync(join(root, 'workflows', name), text),
    remove: (name: string) => unlinkSync(join(root, 'workflows', name)),
    workflows: openWorkflows({ root, agents: KNOWN_AGENTS, warn: (message) => warnings.push(message) }),
    warnings,
  };
}

describe('the workflow of an issue', () => {
  it('is the shipped one of its type where there is no file', async () => {
    const { workflows } = aFolder();
    const feature = await workflows.forIssue(anIssue({ labels: ['type:feature'] }));
    expect(feature.workflow.workflow.name).toBe('feature');
    expect(feature.file).toBe('.agentx/workflows/feature.toml (as shipped)');
    expect((await workflows.forIssue(anIssue())).workflow.workflow.name).toBe('story');
  });

  it('is the file of its type, and an edit is seen at once', async () => {
    const { workflows, write } = aFolder();
    write('bug.toml', STEPS);
    const bug = anIssue({ labels: ['type:bug'] });
    const first = await workflows.forIssue(bug);
    expect(first.file).toBe('.agentx/workflows/bug.toml');
    expect(first.workflow.steps.map(({ id }) => id)).toEqual(['only']);
    expect(await workflows.forIssue(bug)).toBe(first);
    write('bug.toml', `# a line more\n${STEPS}`);
    expect((await workflows.forIssue(bug)).lineOf('only')).toBe(2);
  });

  it('is read again only when its file has changed, be it replaced, deleted or written in place', async () => {
    const { workflows, write, remove } = aFolder();
    const bug = anIssue({ labels: ['type:bug'] });
    write('bug.toml', STEPS);
    await sleep(2 * CLOCK_STEP_MS);
    const first = await workflows.forIssue(bug);
    expect(await workflows.forIssue(bug)).toBe(first);
    write('bug.toml', STEPS.replace('only', 'once'));
    expect((await workflows.forIssue(bug)).workflow.steps.map(({ id }) => id)).toEqual(['once']);
    remove('bug.toml');
    expect((await workflows.forIssue(bug)).file).toContain('(as shipped)');
    write('bug.toml', STEPS);
    expect((await workflows.forIssue(bug)).file).toBe('.agentx/workflows/bug.toml');
  });

  it('is CONFIG_ERROR where the file is wrong, and warns once of what is odd', async () => {
    const { workflows, write, warnings } = aFolder();
    write('epic.toml', 'steps = 1');
    await expect(workflows.forIssue(anIssue({ labels: ['type:epic'] }))).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
    });
    write(
      'story.toml',
      `${STEPS}can_clarify = ["reviewer"]\n[[steps]]\nid = "b"\ntitle = "b"\nagent = "reviewer"\nneeds = ["only"]\n`,
    );
    await workflows.forIssue(anIssue());
    await workflows.forIssue(anIssue());
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('.agentx/workflows/story.toml, line 5');
  });

  it('asked for by name is the file of that name, or the shipped one', async () => {
    const { workflows, write } = aFolder();
    write('spike.toml', STEPS);
    expect((await workflows.named('spike')).workflow.workflow.name).toBe('spike');
    expect((await workflows.named('epic')).file).toBe('.agentx/workflows/epic.toml (as shipped)');
    for (const name of ['nothing', '../workflows/spike', '']) {
      await expect(workflows.named(name)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        details: { allowed: ['bug', 'epic', 'feature', 'spike', 'story'] },
      });
    }
  });
});
