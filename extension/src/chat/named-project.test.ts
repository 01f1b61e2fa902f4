import { describe, expect, it } from 'vitest';
import { runRequest, withoutProject } from './named-project.js';

const SHOP = { name: 'shop', root: '/work/shop/.agentx' };
const BANK = { name: 'The bank', root: '/work/bank/.agentx' };
const OTHER_SHOP = { name: 'shop', root: '/old/shop/.agentx' };

describe('a request to run an issue', () => {
  it('reaches its project, whichever the conversation was about', () => {
    const all = [SHOP, BANK, OTHER_SHOP];
    for (const project of all) {
      const text = runRequest(2, project, all);
      expect(withoutProject({ prompt: text }, all)).toEqual({ command: 'run', prompt: '#2', project });
      const prompt = text.replace('@agentx /run ', '');
      expect(withoutProject({ command: 'run', prompt }, all)).toEqual({ command: 'run', prompt: '#2', project });
      const withoutNumber = runRequest(undefined, project, all);
      expect(withoutProject({ prompt: withoutNumber }, all)).toEqual({ command: 'run', prompt: '', project });
    }
    expect(runRequest(2, BANK, all)).toBe('@agentx /run #2 in project The bank');
    expect(runRequest(2, OTHER_SHOP, all)).toBe('@agentx /run #2 in project /old/shop');
  });

  it('names no project where there is only one', () => {
    expect(runRequest(2, SHOP, [SHOP])).toBe('@agentx /run #2');
    expect(runRequest(undefined, SHOP, [SHOP])).toBe('@agentx /run ');
  });

  it('runs nothing in another project if its own is not open any more', () => {
    const request = { command: 'run', prompt: '#2 in project The bank' };
    expect(() => withoutProject(request, [SHOP])).toThrow("No project 'The bank' is open in this window. Open: shop.");
    expect(() => withoutProject(request, [])).toThrow('Open: none.');
  });

  it('is left as it is if it names none, and so is every other message', () => {
    for (const request of [
      { command: 'run', prompt: '#2' },
      { command: 'run', prompt: '#2 in one go' },
      { command: 'answer', prompt: 'in project The bank' },
      { prompt: 'in project The bank' },
      { prompt: 'Implement issue #2' },
    ]) {
      expect(withoutProject(request, [SHOP, BANK])).toEqual(request);
    }
  });
});
