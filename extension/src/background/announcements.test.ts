import { describe, expect, it } from 'vitest';
import { Announcements } from './announcements.js';

const question = (id: string) => ({ id, createdAt: '2026-01-01T00:00:00.000Z' });

describe('a question', () => {
  it('is told once, only with the focus, and never if it was there before or told elsewhere', () => {
    const told = new Announcements(['oq-old']);
    const open = [question('oq-old'), question('oq-new')];
    expect(told.due(open, { isFocused: false })).toEqual([]);
    expect(told.due(open, { isFocused: true })).toEqual(['oq-new']);
    expect(told.due(open, { isFocused: true })).toEqual([]);
    told.forget(['oq-third']);
    expect(told.due([question('oq-third')], { isFocused: true })).toEqual([]);
  });
});
