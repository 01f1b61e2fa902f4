import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeSampleProject } from '../../scripts/sample-project.mjs';
import { agentx, aRepository } from '../scenarios/support/agentx.js';
import { aPerson, eventually, says, textOf } from './support/people.js';
import { serveRepository } from './support/server.js';

describe('the memory', () => {
  it('is searched while one types, and shows one observation with its thread and what happened around it', async () => {
    const cwd = await aRepository();
    writeSampleProject(join(cwd, '.agentx'), { projectId: 'shop' });
    const served = await serveRepository(cwd);
    const { page, complaints } = await aPerson(served);
    await says(page, 'How long are audit logs kept?');
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search what was remembered' });
    await field.waitFor();
    await eventually(() => textOf(page, '.memory h2'), 'Memory 5 observations of 2 issues');
    await page.keyboard.type('parti');
    await eventually(() => page.locator('.hit').count(), 1);
    await page.keyboard.type('tioning');
    await eventually(() => page.locator('.hit').count(), 1);
    expect(await page.locator('.hit mark').allInnerTexts()).toEqual(['partitions']);
    await field.fill('audti');
    await page.getByRole('button', { name: 'Audit' }).click();
    await eventually(() => field.inputValue(), 'Audit');
    await eventually(() => page.locator('.hit').count(), 3);
    await page.getByLabel('Issue').fill('#40');
    await eventually(() => page.locator('.hit').count(), 1);
    await page.getByLabel('Issue').fill('x');
    await says(page, 'An issue is a number, such as 42.');
    await page.getByLabel('Issue').fill('');
    await page.getByLabel('Kind').selectOption('Decision');
    await field.fill('empty');
    await page.locator('.hit', { hasText: 'Empty state' }).click();
    await eventually(async () => new URL(page.url()).pathname, expect.stringMatching(/^\/memory\/obs-engineer-42-/));
    await eventually(() => textOf(page, '.memory-source'), expect.stringContaining('What does an empty log show?'));
    expect(await page.locator('.around li').allInnerTexts()).toEqual([
      expect.stringContaining('append-only'),
      expect.stringContaining('Empty state of the log'),
      expect.stringContaining('Wrote src/audit/append.ts'),
    ]);
    await page.locator('.around a', { hasText: 'append-only' }).click();
    await says(page, 'an audit log that can be edited is none');
    await page.goBack();
    await says(page, 'What does an empty log show?');
    await page.reload();
    await says(page, 'What does an empty log show?');
    // What another process remembers meanwhile comes by itself.
    await page.getByRole('link', { name: 'Close' }).click();
    const told = ['memory', 'add', '--issue', '40', '--agent', 'engineer', '-m', '<b>Bold</b> empty words'];
    expect(agentx(cwd, told).status).toBe(0);
    await says(page, '6 observations of 2 issues');
    await field.fill('bold');
    await eventually(() => textOf(page, '.hit strong'), '<b>Bold</b> empty words');
    expect(complaints).toEqual([]);
  });

  it('tells a person what the same question was answered before, on the page and in the terminal [X-9/1]', async () => {
    const served = await serveRepository(await aRepository({ issues: [{ title: 'Audit log' }] }));
    const text = 'How long are audit logs of the shop kept?';
    const first = await served.ask({ questions: [{ text }], agent: 'engineer', issueNumber: 1 });
    const responses = [{ questionId: first.questions[0]?.id, answer: 'Seven years, the tax office wants it.' }];
    await served.call('PATCH', `/notifications/${first.id}`, { responses, revision: first.revision });
    const again = { questions: [{ text: 'For how long are the audit logs of the shop kept?' }] };
    const { id } = await served.ask({ ...again, agent: 'tester', issueNumber: 1 });
    expect(id).not.toBe(first.id);
    const { page } = await aPerson(served);
    await eventually(
      () => textOf(page, '.why .earlier'),
      expect.stringMatching(
        `^Seven years, the tax office wants it. How long are .* kept\\? #1, human, .* ${first.id}$`,
      ),
    );
    await page.locator('.earlier a').click();
    await says(page, 'From what a human was asked.');
    expect(agentx(served.cwd, ['inbox', 'show', id]).stdout).toContain(
      'Answered before: Seven years, the tax office wants it.',
    );
    expect(agentx(served.cwd, ['inbox', 'show', id, '--json']).json()).toMatchObject({
      answeredBefore: [{ source: first.id, by: 'human' }],
    });
  });

  it('says what it is for while it is empty, and which observation it does not know', async () => {
    const served = await serveRepository(await aRepository());
    const address = served.link.replace('/#', '/memory/obs-engineer-42-1772100000000-a1b2c3#');
    const { page } = await aPerson(served, { address });
    await says(page, 'Nothing is remembered yet.');
    await says(page, 'There is no observation obs-engineer-42-1772100000000-a1b2c3 here.');
  });
});
