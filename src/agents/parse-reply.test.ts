import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { AgentXError } from '../protocol/errors.js';
import { parseReply } from './parse-reply.js';

/** Pieces of what models write, in any order. */
const PIECES = [
  '```',
  '```json',
  '\n',
  '\n\n',
  '{',
  '}',
  '[',
  ']',
  '"clarify"',
  '"status":"done"',
  ':',
  ',',
  'prose ',
  '~~~',
];

describe('parseReply', () => {
  it.each(['', '  \n\t\n', '{}', '{ }', 'null', '```json\n{}\n```', '```\nnull\n```'])(
    'takes %j for an empty reply',
    (stdout) => {
      expect(parseReply(stdout)).toEqual({});
    },
  );

  it.each([
    'Use SQLite.',
    'Use {this} or {that}.',
    '{this} or {that}',
    '[1, 2]',
    '"quoted"',
    '"a \\"{port}\\" in a string"',
    '[{"status":"ok","id":1}]',
    '{"name":"shop","port":8080}',
    'It listens here:\n```json\n{"host":"127.0.0.1","port":8080}\n```',
    'It listens here: {"host":"127.0.0.1"}',
    'The server says {"status":"ok"}. I would keep that.',
    'The server says {"status":"ok"}.',
    'To ask, an agent sends {"clarify":[{"to":"a","topic":"t","question":"q"}]} and waits.',
    'As now:\n```json\n{"status":"ok"}\n```\nThe client checks it.\n\n## Risks\n\nNone.',
    'The type:\n```ts\ninterface Order {\n  status: string;\n  text: string;\n}\n```',
    'The type:\n```ts\n{ status: string; answer: string }\n```',
    'Webpack:\n```js\n{ "resolve": { alias: {} } }\n```',
    'Run this:\n```sh\ncurl -d \'{"text":"hi"}\' localhost\n```',
    'In short: {answer} is filled in later, {status} too',
    'Links: [one](http://a) and [x] done, [[1, 2], [3]]',
    'It logs `{ status: ` and stops.',
    'It prints:\n```json\n{"status":"failed"}\n```\nand ends.\n\n## Repair\n\nNone.',
    '{"user":"a","note":"see {\\"clarify\\":[]} in the manual"}',
    'GET /questions -> {"questions":[]}',
    '{"properties":{"status":{"type":"string"},"clarify":{"type":"array"}}}',
    '{"buttons":{"clarify":"Clarify","ask":"Ask?"}}',
    '{"level":30,"msg":"asked: what?"}\n{"level":30,"msg":"done"}',
  ])('takes %j for text', (text) => {
    expect(parseReply(`${text}\n`)).toEqual({ text });
  });

  it.each([
    '{"answer":"A"}',
    '\ufeff {"answer":"A"}\r\n',
    '```json\n{"answer":"A"}\n```',
    '```json\r\n{\r\n"answer":"A"\r\n}\r\n```\n',
    '```JSON\n{"answer":"A"}\n```',
    '``` json\n{"answer":"A"}\n```',
    '```jsonc\n{"answer":"A"}\n```',
    '```json title="reply.json"\n{"answer":"A"}\n```',
    '```\n{"answer":"A"}\n```',
    '```javascript\n{"answer":"A"}\n```',
    '~~~json\n{"answer":"A"}\n~~~',
    '````json\n{"answer":"A"}\n````',
    '  ```json\n  {"answer":"A"}\n  ```',
    '```json {"answer":"A"} ```',
    '```json\n{"answer":"A"}',
    '{"answer":"A"}\n```',
    '{"answer":"A","status":null,"clarify":null}',
  ])('reads %j as the object it is', (stdout) => {
    expect(parseReply(Buffer.from(stdout))).toEqual({ answer: 'A' });
  });

  const asks = { clarify: [{ to: 'architect', topic: 'Adapter', question: 'SQLite or {other}?' }] };
  const json = JSON.stringify(asks);
  const pretty = JSON.stringify(asks, null, 2);

  it.each([
    `I looked at it.\n\n${json}`,
    `I looked at it.\n${pretty}\n`,
    `I looked at it. ${json}`,
    `I looked at it.\r\n\r\n\`\`\`json\r\n${pretty.replaceAll('\n', '\r\n')}\r\n\`\`\`\r\n`,
    `I looked at it.\n\n\`\`\`json\n${pretty}\n\`\`\``,
    `I looked at it.\n\n\`\`\`json\n${pretty}`,
    `I looked at it.\n\n\`\`\`\n${json}\n\`\`\``,
    `\`\`\`json\n${pretty}\n\`\`\`\n\nI looked at it.`,
    `\`\`\`json\n${pretty}\n\nI looked at it.\n\`\`\``,
    `\`\`\`json\n${pretty}\n\nI looked at it.`,
    `${json}\nI looked at it.`,
    `${json} I looked at it.`,
    `\`\`\`markdown\nI looked at it.\n\n\`\`\`json\n${pretty}\n\`\`\`\n\`\`\``,
    `I looked at it.\n<reply>${json}</reply>`,
    `I looked at it.\n\n<reply>\n\`\`\`json\n${pretty}\n\`\`\`\n</reply>\n`,
    `<reply kind="work">${json}</reply>\nI looked at it.`,
    `I looked at it.\n\n\u200b${json}\u200b`,
    `I looked at it.\n- ${json}`,
    `I looked at it.\n**${json}**`,
    `I looked at it.\n\`${json}\``,
    `I looked at it. ${json}\n\n`,
    `\u001b[2K\u001b[1GI looked at it.\n${json}\u001b[?25h`,
    `\u001b]0;agent\u0007I looked at it.\n${json}`,
  ])('reads the object beside prose, and the prose as its text: %j', (stdout) => {
    expect(parseReply(stdout)).toEqual({ ...asks, text: 'I looked at it.' });
  });

  it.each([
    '<think>Two ways. {"clarify":[]} or not?</think>\n\n{"status":"done"}',
    '<think>Two ways.</think>\n<think>Which? {"clarify":[]}</think>\n{"status":"done"}',
    '<|channel|>analysis<|message|>I may ask {"clarify":[]}<|end|><|start|>assistant<|channel|>final<|message|>{"status":"done"}<|return|>',
    '<thinking>\nHm.\n</thinking>{"status":"done"}',
    'Two ways.\n</think>\n```json\n{"status":"done"}\n```',
    '<thought>I may ask {"clarify":[]}</thought>\n{"status":"done"}',
    '<reasoning>\nI may ask\n{"clarify":[]}\n</reasoning>\n\n{"status":"done"}',
    '<think id="1">I may ask {"clarify":[]}</think>{"status":"done"}',
    '[THINK]I may ask {"clarify":[]}[/THINK]{"status":"done"}',
    '\u25c1think\u25b7I may ask {"clarify":[]}\u25c1/think\u25b7{"status":"done"}',
  ])('leaves out what the model thought first: %j', (stdout) => {
    expect(parseReply(stdout)).toEqual({ status: 'done' });
  });

  it.each([
    '<think>Two ways. Maybe',
    '<think>\nI could send {"clarify":[{"to":"a","topic":"t","question":"q"}]}',
    '<thinking>Hm. {"status":"done"}',
    '[THINK]Two ways',
    '\u25c1think\u25b7Two ways',
  ])('refuses thoughts that do not end, because no reply follows them: %j', (stdout) => {
    const { code, message } = refusalOf(() => parseReply(stdout));
    expect(code).toBe('AGENT_ERROR');
    expect(message).toContain('its thoughts do not end');
  });

  it.each(['Models write <think> first.\n\nThey close it with\n</think>', 'The tag </think> closes it.'])(
    'keeps prose about such tags: %j',
    (stdout) => {
      expect(parseReply(stdout)).toEqual({ text: stdout });
    },
  );

  it.each([
    [JSON.stringify(json), {}],
    [JSON.stringify(JSON.stringify(json)), {}],
    [JSON.stringify(`\`\`\`json\n${JSON.stringify(asks, null, 2)}\n\`\`\``), {}],
    [`\`\`\`json\n${JSON.stringify(json)}\n\`\`\``, {}],
    [`I have to ask.\n\n${JSON.stringify(json)}\n`, { text: 'I have to ask.' }],
    [JSON.stringify(`I have to ask.\n\n${json}`), { text: 'I have to ask.' }],
  ])('reads the reply in the JSON string %s', (stdout, text) => {
    expect(parseReply(stdout)).toEqual({ ...asks, ...text });
  });

  it('reads an object that no words follow', () => {
    expect(parseReply(`I looked at it. ${json} \u{1f389}`)).toEqual({ ...asks, text: 'I looked at it.\n\n\u{1f389}' });
  });

  it.each(['I wait for you.', 'thanks', '- one\n- two'])('reads an object at the end of a line, above %j', (below) => {
    for (const gap of ['\n', '\n\n']) {
      const reply = parseReply(`I looked at it. ${json}${gap}${below}`);
      expect(reply).toEqual({ ...asks, text: `I looked at it.\n\n${below}` });
    }
  });

  it('reads an object that a sentence announces, with another sentence behind it', () => {
    const reply = parseReply(`Sure! Here is my reply: ${json} Thanks.`);
    expect(reply).toEqual({ ...asks, text: 'Sure! Here is my reply:\n\nThanks.' });
  });

  it.each([{ status: 'failed' }, { answer: 'SQLite' }] as const)('reads %j, said first, before any prose', (reply) => {
    expect(parseReply(`${JSON.stringify(reply)}\n\nA.\n\nB.\n\nC.`)).toEqual({ ...reply, text: 'A.\n\nB.\n\nC.' });
  });

  it('takes blocking beside clarify for every entry that does not say it', () => {
    const [first, second] = [{ ...asks.clarify[0], blocking: true }, asks.clarify[0]];
    expect(parseReply(JSON.stringify({ clarify: [first, second], blocking: false })).clarify).toEqual([
      first,
      { ...second, blocking: false },
    ]);
  });

  it('keeps what stands before and behind the object, braces included', () => {
    const reply = parseReply(`Two {adapters} fit.\n\n\`\`\`json\n${json}\n\`\`\`\n\nThen I go on with {either}.`);
    expect(reply).toEqual({ ...asks, text: 'Two {adapters} fit.\n\nThen I go on with {either}.' });
  });

  it.each(['It logs `{ status: ` there.', 'The template {"name is broken.', 'It begins with if (x) { "use strict'])(
    'reads the object behind %j, whose bracket stays open',
    (prose) => {
      expect(parseReply(`${prose}\n\n\`\`\`json\n${pretty}\n\`\`\``)).toEqual({ ...asks, text: prose });
      expect(parseReply(`${prose}\n\n${json}`)).toEqual({ ...asks, text: prose });
    },
  );

  it.each(['// my reply', 'reply.json', '# reply'])('reads the object below %j in its fence', (line) => {
    expect(parseReply(`So:\n\`\`\`json\n${line}\n${pretty}\n\`\`\``)).toMatchObject(asks);
  });

  it.each([
    { status: 'failed', text: 'No disk.' },
    { resolve: [{ id: 'CLR-1-001', body: 'Clear.' }], status: 'continue' },
    { assumptions: [{ question: 'Which?', answer: 'This.' }] },
  ] as const)('finds %j however much prose follows, since it is a reply and nothing else', (object) => {
    const reply = parseReply(`Tried.\n\n\`\`\`json\n${JSON.stringify(object)}\n\`\`\`\n\nA.\n\nB.`);
    expect(reply).toMatchObject({ ...object, text: expect.stringContaining('Tried.\n\nA.\n\nB.') });
  });

  it.each([
    { status: 'continue', observations: [{ category: 'note', content: 'It is slow.' }] },
    { status: 'finished', resolve: [{ id: 'CLR-1-001', body: 'Clear.' }] },
  ])('refuses %j however much prose follows, since it has keys of a reply alone and does not fit', (object) => {
    const text = `Tried.\n\n\`\`\`json\n${JSON.stringify(object)}\n\`\`\`\n\nA.\n\nB.`;
    expect(refusalOf(() => parseReply(text)).code).toBe('AGENT_ERROR');
  });

  it('keeps a block of code whole that stands above the object', () => {
    const code = 'So:\n\n```ts\nconst port = 80;\n```';
    for (const object of [json, `\`\`\`json\n${pretty}\n\`\`\``]) {
      expect(parseReply(`${code}\n\n${object}`)).toEqual({ ...asks, text: code });
    }
  });

  it('keeps a text of the object behind the prose', () => {
    expect(parseReply('Built.\n{"status":"done","text":"All green."}')).toEqual({
      status: 'done',
      text: 'Built.\n\nAll green.',
    });
  });

  it('takes the last object that is a reply, and an example before it for prose', () => {
    const example = 'It returns:\n```json\n{"status":"ok","items":[]}\n```';
    expect(parseReply(`${example}\n\nSo:\n\`\`\`json\n${json}\n\`\`\``)).toEqual({
      ...asks,
      text: `${example}\n\nSo:`,
    });
    const last = parseReply('```json\n{"answer": "A"}\n```\nor\n```json\n{"answer": "B"}\n```');
    expect(last).toEqual({ answer: 'B', text: '```json\n{"answer": "A"}\n```\nor' });
  });

  it('takes an example behind the reply for prose', () => {
    const example = 'I expect a row like this:\n\n```json\n{"id":1,"name":"x"}\n```';
    expect(parseReply(`\`\`\`json\n${json}\n\`\`\`\n\n${example}`)).toEqual({ ...asks, text: example });
  });

  it('finds a question however much prose follows', () => {
    const prose = '## Why\n\nBoth fit.\n\n- one\n- two\n\nLet me know.';
    expect(parseReply(`\`\`\`json\n${json}\n\`\`\`\n\n${prose}`)).toEqual({ ...asks, text: prose });
  });

  it.each(['{"status":"done"}', '{"clarify":[{"to":"pm","topic":"Price","question":"Gross?"}]}', '{"clarify":[]}'])(
    'refuses several objects of which an earlier one asks what the last one, %s, does not',
    (last) => {
      const { code, message } = refusalOf(() => parseReply(`${json}\n\nand\n\n${last}`));
      expect(code).toBe('AGENT_ERROR');
      expect(message).toContain('what an earlier one says in clarify is not in the last one');
    },
  );

  const written = { artifacts: [{ path: 'a.md', content: 'x' }] };

  it.each([
    ['artifacts', written],
    ['artifacts', { status: 'done', ...written }],
    ['review', { review: { verdict: 'rejected', cause: 'defect', body: 'No tests.' } }],
    ['assumptions', { assumptions: [{ question: 'Which?', answer: 'This.' }] }],
    ['resolve', { resolve: [{ id: 'CLR-1-001', body: 'Clear.' }], status: 'continue' }],
  ])('refuses several objects of which an earlier one hands in %s and the last one does not: %j', (key, earlier) => {
    for (const text of [JSON.stringify(earlier), `\`\`\`json\n${JSON.stringify(earlier)}\n\`\`\``]) {
      const { code, message } = refusalOf(() => parseReply(`${text}\n\nand\n\n{"status":"done"}`));
      expect(code).toBe('AGENT_ERROR');
      expect(message).toContain(`what an earlier one says in ${key} is not in the last one`);
    }
  });

  it('refuses two objects that hand in different files', () => {
    const other = { artifacts: [{ path: 'b.md', content: 'y' }] };
    const { message } = refusalOf(() => parseReply(`${JSON.stringify(written)}\n${JSON.stringify(other)}`));
    expect(message).toContain('what an earlier one says in artifacts is not in the last one');
  });

  it('refuses a broken object with files above a whole one without', () => {
    const broken = '{"artifacts":[{"path":"a.md","content":"x"},]}';
    const { message } = refusalOf(() => parseReply(`${broken}\n\n{"status":"done"}`));
    expect(message).toContain('what an earlier one says in artifacts is not in the last one');
  });

  it('takes a later version of the same file', () => {
    const later = { artifacts: [{ path: 'a.md', content: 'better' }] };
    expect(parseReply(`${JSON.stringify(written)}\n\nBetter:\n\n${JSON.stringify(later)}`)).toMatchObject(later);
  });

  it('says so of two fences that ask different things', () => {
    const other = '{"open_questions":["Which region?"]}';
    const { message } = refusalOf(() => parseReply(`\`\`\`json\n${json}\n\`\`\`\n\n\`\`\`json\n${other}\n\`\`\``));
    expect(message).toContain('it holds several JSON objects, and what an earlier one says in clarify');
  });

  it.each([
    ['Done.\n\n{"status":"finished"}', 'status must be one of done, failed, continue'],
    ['Done.\n```json\n{"clarify":{"to":"architect"}}\n```\nBye.', 'clarify must be an array'],
    ['I ask:\n```json\n{"clarify":[{"to":"a","topic":"t","question":"q"},]}\n```', 'no comma before a closing bracket'],
    ['I ask:\n{"clarify":[{"to":"a","topic":"t","question":"two\nlines"}]}', 'a line break in a string'],
    ['I ask:\n```json\n{"clarify":[{"to":"a","topic":"t"', 'JSON'],
    ["I ask:\n{'clarify': [{'to': 'a'}]}", 'JSON'],
    ['I ask:\n```js\n{ clarify: [{ to: "a" }] }\n```', 'JSON'],
    ['I ask:\n{\u201cclarify\u201d: []}', 'JSON'],
    ['I ask:\n{"clarify": [...]}', 'JSON'],
    ['{"port":8080,}', 'JSON'],
    ['[{"clarify":[{"to":"a","topic":"t","question":"q"}]}]', 'it is a list'],
    ['Here:\n{"reply":{"open_questions":["Which?"]}}', 'its keys stand too deep in it'],
    ['Here:\n{"needsClarification":"## NEEDS CLARIFICATION"}', 'needsClarification is spelt needs_clarification'],
    ['{"status":"done","Open-Questions":["Which?"]}', 'Open-Questions is spelt open_questions'],
    ['I failed.\n{"Status":"failed"}', 'Status is spelt status'],
    ['Here:\n[{"clarify":[{"to":"a","topic":"t","question":"q"}]}]', 'it is a list'],
    ['Here:\n```json\n[{"to":"a","topic":"t","question":"q"}]\n```', 'entries of clarify'],
    ['Here:\n{"to":"a","topic":"t","question":"q"}', 'entries of clarify'],
    ['Here:\n{"data":{"reply":{"clarify":[]}}}', 'its keys stand too deep in it'],
    ['Here:\n{\u201dclarify\u201d: []}', 'JSON'],
    ['Here:\n> {\n>   "clarify": []\n> }', 'JSON'],
    ['Here:\n{\n  // I ask\n  "clarify": []\n}', 'JSON'],
    ['Here:\n{\\"clarify\\": []}', 'JSON'],
    [JSON.stringify('{"clarify":{"to":"architect"}}'), 'clarify must be an array'],
    [`${JSON.stringify('{"clarify":[]}')} is what I send.`, 'JSON'],
    ['{\u2018status\u2019: \u2018failed\u2019}', 'straight double quotes'],
    ["{'status': 'failed'}", 'straight double quotes'],
    ['{"status":"done", // at last\n"text":"x"}', 'no comments'],
    ['[{"status":"failed","text":"no disk"}]', 'it is a list'],
    ['[{"artifacts":[{"path":"a","content":"b"}]}]', 'it is a list'],
    ['{"reply":{"status":"failed","text":"no disk"}}', 'too deep'],
    ['{"result":{"review":{"verdict":"rejected","body":"no"}}}', 'too deep'],
    [JSON.stringify({ result: '{"status":"failed","text":"no disk"}' }), 'in a string'],
    ['{"clarifications":[{"to":"a","topic":"t","question":"q"}]}', 'entries of clarify'],
    ['{"status":"continue","clarifications":[{"to":"a","topic":"t","question":"q"}]}', 'its field clarifications asks'],
    ['{"status":"continue","more":{"clarify":[]}}', 'its field more asks'],
    ['{"open_question":"Which?"}', 'questions to a human are open_questions'],
    ['{"questions_for_human":["Which?"]}', 'questions to a human are open_questions'],
    ['{"text":"Done.","human_questions":["Which?"]}', 'questions to a human are open_questions'],
    ['{"status":"done","questions":[{"text":"Which?"}],"confidence":0.8}', 'questions to a human are open_questions'],
    ['{"ask":{"to":"architect","question":"Which?"}}', 'entries of clarify'],
    ['{"verdict":"rejected","cause":"defect","body":"No tests."}', 'its verdict belongs into review'],
    ['Well.\n{"status":"done","verdict":"rejected"}', 'its verdict belongs into review'],
    [JSON.stringify({ content: [{ type: 'text', text: '{"clarify":[]}' }] }), 'in a string'],
    [JSON.stringify({ choices: [{ message: { content: 'Well:\n{"clarify":[]}' } }] }), 'in a string'],
    [JSON.stringify({ candidates: [{ content: { parts: [{ text: '{"clarify":[]}' }] } }] }), 'in a string'],
    [JSON.stringify({ status: 'done', reply: json }), 'its field reply asks'],
    [JSON.stringify({ a: { b: { c: { d: asks } } } }), 'too deep'],
    [JSON.stringify({ content: [{ type: 'tool_use', name: 'finish', input: asks }] }), 'too deep'],
    ['{"status":"done","proposals":[{"kind":"scope","summary":"Drop it"}]}', 'its field proposals asks'],
    ['{"status":"continue","clarification":"Which?"}', 'its key clarification is none of a reply'],
    ['{"status":"continue","ask_human":{"questions":["Which?"]}}', 'its key ask_human is none of a reply'],
    ['{"status":"continue","clarification_needed":true,"question":"Which?"}', 'its key question is none of a reply'],
    [
      '{"status":"continue","clarification_requests":[{"agent":"architect","question":"State the adapter."}]}',
      'its key clarification_requests is none of a reply',
    ],
    [
      '{"status":"continue","clarification_request":{"target":"architect","message":"Which adapter?"}}',
      'its key clarification_request is none of a reply',
    ],
    ['{"follow_up":[{"id":"CLR-1-001","question":"Why?"}]}', 'its key follow_up is none of a reply'],
    ['{"request_clarification":{"agent":"architect","question":"Why?"}}', 'request_clarification is none of a reply'],
    [`{"clarify":${JSON.stringify(asks.clarify)},"clarify":[]}`, 'its key clarify is there twice'],
    ['{"answer":"A","answer":"B"}', 'its key answer is there twice'],
    ['Done.\n{"status":"failed","text":"No disk.","status":"done"}', 'its key status is there twice'],
    ['{\u201eclarify\u201c: []}', 'straight double quotes'],
    [
      String.raw`{\n  \"clarify\": [{\"to\": \"a\", \"topic\": \"t\", \"question\": \"q\"}]\n}`,
      'is not what it claims to be',
    ],
    [
      '{"status":"done","files":[{"path":"a.md","content":"A"}]}',
      'its field files is none of a reply: files are artifacts',
    ],
    ['{"text":"Done.","artifact":{"path":"a.md","content":"A"}}', 'its field artifact is none of a reply'],
    ['{\u00abclarify\u00bb: []}', 'straight double quotes'],
    ['{"clarify"\uff1a[]}', 'JSON'],
    ['{"questions":["Which?"],"status":"continue"}', 'questions to a human are open_questions'],
    ['Well:\n{"question":"Which?","options":["a","b"]}', 'questions to a human are open_questions'],
    [JSON.stringify({ type: 'result', result: 'Well.\n\n{"clarify":[]}' }), 'in a string'],
  ])('refuses %j, which claims to be a reply and is none', (stdout, problem) => {
    const { code, message } = refusalOf(() => parseReply(stdout));
    expect(code).toBe('AGENT_ERROR');
    expect(message).toContain(problem);
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
    ['{"text":"A","__proto__":{"answer":"A"}}', '__proto__'],
    ['{"text":"A","observed":[{"__proto__":1}]}', 'observed[0].__proto__'],
  ])('refuses the prototype key in %s', (stdout, path) => {
    expect(refusalOf(() => parseReply(stdout)).message).toContain(`${path} is not an allowed key`);
  });

  it('refuses an object that is nested too deep to be walked through', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(refusalOf(() => parseReply(deep)).message).toContain('nested more than 200 levels');
  });

  it('refuses what is not UTF-8', () => {
    const stdout = Buffer.from([0x41, 0xff, 0xfe]);
    expect(refusalOf(() => parseReply(stdout)).message).toContain('not valid UTF-8');
  });

  it('shows neither escape sequences nor endless lines of what it refuses', () => {
    const stdout = `{"text":\u001b[31mred\u001b]0;title\u0007\u009b2J\u202e ${'x'.repeat(100_000)}\n${'y\n'.repeat(500)}}`;
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

  it('reads text behind a mebibyte of space', () => {
    expect(parseReply(`${' '.repeat(2 ** 20)}x`)).toEqual({ text: 'x' });
  });

  it('refuses text that was cut when what is cut off asks', () => {
    const refused = refusalOf(() => parseReply('Well.', { isCut: true, rest: `and so on.\n\n${json}\n` }));
    expect(refused.message).toContain('cut off after 1 MiB');
    expect(parseReply('Well.', { isCut: true, rest: 'and so on.' }).text).toContain('Well.');
  });

  it.each([
    ['JSON lines', (piece: string) => `${JSON.stringify({ model: 'm', response: piece, done: false })}\n`],
    ['lines of text', (piece: string) => `${JSON.stringify({ type: 'text_delta', text: piece })}\n`],
    ['events', (piece: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`],
  ])('refuses a reply in the pieces of a stream: %s', (_, line) => {
    const pieces = json.match(/.{1,9}/g) ?? [];
    expect(refusalOf(() => parseReply(`${pieces.map(line).join('')}data: [DONE]`)).message).toContain('in pieces');
    expect(refusalOf(() => parseReply(pieces.map(line).join(''))).message).toContain('in pieces');
  });

  it('answers any bytes with a reply or AGENT_ERROR', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.json().map((json) => Buffer.from(json)),
      fc.json().map((json) => Buffer.from(`{"open_questions":[${json}]}`)),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => Buffer.from(pieces.join(''))),
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
