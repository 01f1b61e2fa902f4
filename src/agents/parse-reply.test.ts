import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { AgentXError } from '../protocol/errors.js';
import { parseReply } from './parse-reply.js';

describe('parseReply', () => {
  it.each(['', '  \n\t\n'])('takes %j for an empty reply', (stdout) => {
    expect(parseReply(stdout)).toEqual({});
  });

  it.each([
    'Use SQLite.',
    'Use {this} or {that}.',
    '[1, 2]',
    '"quoted"',
    'Here it is:\n```json\n{"answer": "A"}\n```',
    '```json\n{"answer": "A"}\n```\nor\n```json\n{"answer": "B"}\n```',
  ])('takes %j for text', (text) => {
    expect(parseReply(`${text}\n`)).toEqual({ text });
  });

  it.each([
    '{"answer":"A"}',
    '\ufeff {"answer":"A"}\r\n',
    '```json\n{"answer":"A"}\n```',
    '```json\r\n{\r\n"answer":"A"\r\n}\r\n```\n',
  ])('reads %j as the object it is', (stdout) => {
    expect(parseReply(Buffer.from(stdout))).toEqual({ answer: 'A' });
  });

  it('keeps fences inside the strings of a fenced object', () => {
    const reply = { artifacts: [{ path: 'a.md', content: '```json\n{}\n```' }] };
    expect(parseReply(`\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``)).toEqual(reply);
  });

  it('keeps fields that it does not know', () => {
    expect(parseReply('{"answer":"A","confidence":0.8}')).toEqual({ answer: 'A', confidence: 0.8 });
  });

  it('refuses an object that does not parse, with what is wrong and its first lines', () => {
    const { code, message } = refusalOf(() => parseReply('{"answer": "A",}', { who: "Agent 'architect'" }));
    expect(code).toBe('AGENT_ERROR');
    expect(message).toMatch(/^Agent 'architect' gave a reply that is not what it claims to be: .*JSON.*It begins:\n/);
    expect(message).toContain('{"answer": "A",}');
  });

  it('refuses an object that is no reply and says where', () => {
    const { code, message } = refusalOf(() => parseReply('{"status":"finished","clarify":[{"to":7}]}'));
    expect(code).toBe('AGENT_ERROR');
    expect(message).toContain('status must be one of done, failed, continue');
    expect(message).toContain('clarify[0].to must be a string');
  });

  it.each([
    ['{"__proto__":{"answer":"A"}}', '__proto__'],
    ['{"observed":[{"__proto__":1}]}', 'observed[0].__proto__'],
  ])('refuses the prototype key in %s', (stdout, path) => {
    expect(refusalOf(() => parseReply(stdout)).message).toContain(`${path} is not an allowed key`);
  });

  it('refuses an object that is nested too deep to be walked through', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(refusalOf(() => parseReply(deep)).message).toContain('nested more than 64 levels');
  });

  it('refuses what is not UTF-8', () => {
    const stdout = Buffer.from([0x41, 0xff, 0xfe]);
    expect(refusalOf(() => parseReply(stdout)).message).toContain('not valid UTF-8');
  });

  it('shows neither escape sequences nor endless lines of what it refuses', () => {
    const stdout = `{\u001b[31mred\u001b]0;title\u0007\u009b2J\u202e ${'x'.repeat(100_000)}\n${'y\n'.repeat(500)}}`;
    const { message } = refusalOf(() => parseReply(stdout));
    expect(message).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(message.length).toBeLessThan(2000);
  });

  it('says so when text was cut, without half a character', () => {
    const stdout = Buffer.from('caf\u00e9').subarray(0, -1);
    expect(parseReply(stdout, { isCut: true })).toEqual({
      text: 'caf\n\n[cut here: the output went on beyond 1 MiB]',
    });
  });

  it.each(['{"text":"abc', '```json\n{"text":"abc', '{"text":"a"}'])('refuses %j when it was cut', (stdout) => {
    expect(refusalOf(() => parseReply(stdout, { isCut: true })).message).toContain('cut off after 1 MiB');
  });

  it('answers any bytes with a reply or AGENT_ERROR', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.json().map((json) => Buffer.from(json)),
      fc.json().map((json) => Buffer.from(`{"open_questions":[${json}]}`)),
    );
    fc.assert(
      fc.property(bytes, (stdout) => {
        try {
          expect(parseReply(stdout)).toBeTypeOf('object');
        } catch (error) {
          expect(error).toBeInstanceOf(AgentXError);
          expect(error).toHaveProperty('code', 'AGENT_ERROR');
        }
      }),
    );
  });
});
