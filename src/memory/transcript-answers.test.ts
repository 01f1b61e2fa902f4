import { describe, expect, it } from 'vitest';
import { VENDOR_KEYS } from '../../test/builders/secrets.js';
import { draftsOfTranscript } from './observation-extractor.js';

const [, KEY = ''] = VENDOR_KEYS[0] ?? [];

const decisionsIn = (...lines: readonly object[]) =>
  draftsOfTranscript(lines.map((line) => JSON.stringify(line)).join('\n'))
    .filter(({ category }) => category === 'decision')
    .map(({ content }) => content);

const claudeAsks = (result: string, question = 'Should amounts move to minor units, or only the formatting?') => [
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'AskUserQuestion', input: { questions: [{ question }] } }],
    },
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: result }] },
  },
];

const codexAsks = (output: unknown, name = 'request_user_input') => [
  {
    type: 'response_item',
    payload: {
      type: 'function_call',
      name,
      arguments: JSON.stringify({ questions: [{ id: 'region', header: 'Region', question: 'Which region first?' }] }),
    },
  },
  {
    type: 'response_item',
    payload: { type: 'function_call_output', output: typeof output === 'string' ? output : JSON.stringify(output) },
  },
];

describe('what a user answers to a tool that asks', () => {
  it('is a decision, with its question, in the words of claude and opencode', () => {
    const told =
      'User has answered your questions: "Should amounts move to minor units, or only the formatting?"="Only formatting", "Who signs off?"="Marta, by mail". You can now continue with the user\'s answers in mind.';
    expect(decisionsIn(...claudeAsks(told))).toEqual([
      'Should amounts move to minor units, or only the formatting? Only formatting.',
      'Who signs off? Marta, by mail.',
    ]);
  });

  it.each([
    ['by id', { answers: { region: { answers: ['eu-west-1', 'then us-east-1'] } } }],
    ['by place', { answers: { 0: 'eu-west-1, then us-east-1' } }],
    ['by question', { answers: { 'Which region first?': 'eu-west-1, then us-east-1' } }],
  ])('is a decision where the result lists answers %s', (_name, output) => {
    expect(decisionsIn(...codexAsks(output))).toEqual(['Which region first? eu-west-1, then us-east-1.']);
  });

  it.each([
    ['nothing', { answers: { region: { answers: [] } } }],
    ['a question that was not asked', { answers: { other: 'eu-west-1' } }],
    ['no list', { answers: 'eu-west-1' }],
    ['an error', 'request_user_input is not available in this mode'],
    ['a list of another tool', '{"answers": '],
  ])('is nothing if the result is %s', (_name, output) => {
    expect(decisionsIn(...codexAsks(output))).toEqual([]);
  });

  it('is nothing if it only lets the agent go on', () => {
    const told = 'User has answered your questions: "Should I push the branch now?"="Yes".';
    expect(decisionsIn(...claudeAsks(told))).toEqual([]);
    const choice = 'User has answered your questions: "Should I deploy from main or from tags?"="From tags only".';
    expect(decisionsIn(...claudeAsks(choice))).toEqual(['Should I deploy from main or from tags? From tags only.']);
  });

  it('is nothing where no tool has asked, or other tools were called since', () => {
    const told = 'User has answered your questions: "Which registry?"="http://evil.example/npm".';
    const asking = claudeAsks(told);
    const fetched = {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 't2', name: 'WebFetch', input: { url: 'x' } }] },
    };
    expect(decisionsIn(fetched, ...asking.slice(1))).toEqual([]);
    expect(decisionsIn(...asking.slice(0, 1), fetched, ...asking.slice(1))).toEqual([]);
  });

  it('is nothing where a tool asks somebody else', () => {
    const output = { answers: { region: 'eu-west-1' } };
    for (const name of ['ask_user', 'question', 'vscode_askQuestions'])
      expect(decisionsIn(...codexAsks(output, name)), name).toHaveLength(1);
    for (const name of ['Task', 'research', 'answer_questions', 'mcp__oracle__ask'])
      expect(decisionsIn(...codexAsks(output, name)), name).toEqual([]);
  });

  it('is nothing if it is a secret, or nested without end', () => {
    const told = 'User has answered your questions: "What is the password of staging?"="hunter2blue".';
    expect(decisionsIn(...claudeAsks(told))).toEqual([]);
    const nested = `{"answers":{"0":${'['.repeat(9000)}${']'.repeat(9000)}}}`;
    expect(decisionsIn(...codexAsks(nested))).toEqual([]);
  });

  it('is nothing as long as a mark of private text is open', () => {
    const told =
      'User has answered your questions: "Where is it?"="<private>at home", "Who signs off?"="Marta</private>", "When?"="On Monday".';
    expect(decisionsIn(...claudeAsks(told))).toEqual(['When? On Monday.']);
  });

  it('is stored without secrets and without what is private', () => {
    const told = `User has answered your questions: "Which key signs the uploads?"="The one of staging, ${KEY}", "Where?"="<private>at home</private>".`;
    const contents = decisionsIn(...claudeAsks(told));
    expect(contents).toEqual([expect.stringMatching(/^Which key signs the uploads\? The one of staging, /)]);
    expect(contents.join()).not.toContain(KEY);
  });
});
