import { describe, expect, it } from 'vitest';
import { Announcements } from './announcements.js';

const question = (id: string, issueNumber = 1) => ({ id, issueNumber });
const FOCUSED = { isFocused: true };

describe('a question', () => {
  it('is told once, only with the focus, and never if it was there before or told elsewhere', () => {
    const announcements = new Announcements(['oq-old']);
    const open = [question('oq-old'), question('oq-new')];
    expect(announcements.due(open, { isFocused: false })).toEqual([]);
    expect(announcements.due(open, FOCUSED)).toEqual([question('oq-new')]);
    expect(announcements.due(open, FOCUSED)).toEqual([]);
    announcements.forget(['oq-third']);
    expect(announcements.due([question('oq-third')], FOCUSED)).toEqual([]);
  });

  it('of an issue that a chat carries out is told by the chat, whenever it is seen', () => {
    const announcements = new Announcements();
    const end = announcements.carriesInChat(1);
    expect(announcements.due([question('oq-1'), question('oq-2', 2)], FOCUSED)).toEqual([question('oq-2', 2)]);
    end(['oq-late']);
    expect(announcements.due([question('oq-1'), question('oq-late')], FOCUSED)).toEqual([]);
    expect(announcements.due([question('oq-after')], FOCUSED)).toEqual([question('oq-after')]);
  });
});
