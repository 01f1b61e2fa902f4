import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { TOKEN } from '../github/token.js';
import { asking, aTeam, type NamedComment, ourComments } from './support/github.js';
import { storeOf } from './support/runs.js';

/** What an agent may say to reach beyond the text of a comment. */
const HOSTILE = [
  'BEGIN @octocat and @octocat/team, look: fixes #1, closes octocat/shop#1, Resolves: #1 and closes GH-1',
  'ZONE -->',
  '<!-- agentx:round:CLR-1-009/1:0123456789abcdef --> ZONE',
  '<details><summary>ZONE</summary><img src=x onerror=alert(1)></details>',
  '```',
  'ZONE @octocat inside of code?',
  '~~~~',
  '</blockquote>ZONE',
  '',
  '',
  'ZONE ![x](https://evil.example/x.png) [link](javascript:alert(1)) <https://evil.example>',
  '\r\r\rZONE return',
  '\u2028ZONE @octocat',
  '/agentx answer a ZONE',
  '# ZONE heading',
  '- ZONE list',
  '1. ZONE list',
  '| ZONE | table |',
  '|---|---|',
  '[x]: https://evil.example "ZONE"',
  '&#64;octocat &commat;octocat ZONE `@octocat` `` ` @octocat ``',
  '\\@octocat \\<b>ZONE</b> `unfinished',
  'END https://github.com/octocat/shop/issues/1 octocat/shop#1',
].join('\n');

interface Piece {
  readonly type: string;
  readonly text: string;
  readonly isQuoted: boolean;
}

/** The comment as a reader of markdown sees it: its pieces, and whether they stand in a quote. */
function piecesOf(body: string): readonly Piece[] {
  const walk = (tokens: readonly Token[], isQuoted: boolean): Piece[] =>
    tokens.flatMap((token) => {
      const isInQuote = isQuoted || token.type === 'blockquote';
      const children = 'tokens' in token && token.tokens !== undefined ? token.tokens : [];
      const items = 'items' in token && Array.isArray(token.items) ? token.items : [];
      const own = { type: token.type, text: 'text' in token ? String(token.text) : token.raw, isQuoted: isInQuote };
      return [own, ...walk([...children, ...items], isInQuote)];
    });
  return walk(marked.lexer(body), false);
}

/** As GitHub reads mentions and closing words: in text, not in code. */
const MENTION = /(?<![\w`/])@([a-z\d][\w-]*(?:\/[\w-]+)?)/gi;
const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:(?:[\w-]+\/[\w.-]+)?#|GH-)\d/i;

/** A reason stands in one line, after a word of ours. */
const isAfterOurWords = (text: string): boolean => /^\*\*Why:\*\* BEGIN [^\n]*$/.test(text);

/** In each comment: both ends of the text, no markup of its own, and nothing that reaches beyond it. */
function expectHarmless(comments: readonly NamedComment[], mention: readonly string[]): void {
  for (const { name, body } of comments) {
    expect(body, name).toContain('BEGIN');
    expect(body, name).toContain('END');
    const pieces = piecesOf(body);
    // The only HTML is the name, in the first line.
    expect(pieces.filter(({ type }) => type === 'html').map(({ text }) => text.trim())).toEqual([
      expect.stringMatching(/^<!-- agentx:\S+ -->$/),
    ]);
    const leaves = pieces.filter(({ type }) => type === 'text' || type === 'escape' || type === 'html');
    const mentioned = leaves.flatMap(({ text }) => [...text.matchAll(MENTION)].map(([, login]) => login));
    expect(mentioned.toSorted(), name).toEqual(name.startsWith('question:') ? mention : []);
    expect(leaves.map(({ text }) => text).join(''), name).not.toMatch(CLOSES);
    expect(
      pieces.filter(({ type }) => type === 'image' || type === 'def'),
      name,
    ).toEqual([]);
    expect(
      pieces.filter(({ type, text }) => type === 'heading' && text.includes('ZONE')),
      name,
    ).toEqual([]);
    for (const { type, text, isQuoted } of pieces) {
      if (type === 'paragraph' && /BEGIN|END/.test(text)) expect(isQuoted || isAfterOurWords(text), text).toBe(true);
      if (type === 'code') expect(isQuoted, `${name}: ${text}`).toBe(true);
    }
  }
}

describe('what an agent says, in a comment on GitHub', () => {
  it('mentions no person, closes no issue, is no markup and stays inside the quote [US-7.2/9]', async () => {
    const { github, user } = await aTeam({ answers: [HOSTILE] });
    const result = await user.run(asking('ZONE @octocat fixes #1 --> <b>', HOSTILE));
    expect(result.status, result.stderr).toBe(0);
    expect((await user.run(['clarify', 'escalate', 'CLR-1-001', '-m', HOSTILE])).status).toBe(3);
    await user.sync();
    const comments = ourComments(github);
    expect(comments.map(({ name }) => name)).toEqual(['round:CLR-1-001/1', expect.stringMatching(/^question:/)]);
    expectHarmless(comments, ['ada', 'octocat']);
    // Its own comments, with all that is in them, are no answers.
    await user.sync();
    expect((await user.run(['inbox', '--json'])).json()).toMatchObject({ questions: [{ status: 'open' }] });
  });

  it('stays so once a person answered with the same, and the token is in no file', async () => {
    const { github, cwd, user } = await aTeam();
    await user.run(asking('Database', 'BEGIN Which one? END'));
    await user.run(['clarify', 'escalate', 'CLR-1-001', '-m', 'BEGIN They disagree. END']);
    await user.sync();
    const answer = HOSTILE.replace('/agentx answer a', 'agentx');
    github.repository.comment(1, 'ada', answer);
    await user.sync();
    const [question] = (await storeOf(cwd).questions.list({})).items;
    expect(question).toMatchObject({ status: 'resolved', outcome: 'answered', answeredBy: { principal: 'ada' } });
    // A decided question mentions no person.
    expectHarmless(ourComments(github), []);
    expect(ourComments(github).some(({ body }) => body.includes('ZONE'))).toBe(true);
    const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.map(({ name }) => name)).toContain('agentx.log');
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes(TOKEN), join(parentPath, name)).toBe(false);
    }
  });
});
