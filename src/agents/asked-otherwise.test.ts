import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { parseReply } from './parse-reply.js';

const QUESTION = { to: 'architect', topic: 'Adapter', question: 'SQLite, or PostgreSQL?' };
const JSON_REPLY = JSON.stringify({ clarify: [QUESTION] });
const PRETTY = JSON.stringify({ clarify: [QUESTION] }, null, 2).split('\n');
const YAML_ITEM = '  - to: architect\n    topic: Adapter\n    question: SQLite, or PostgreSQL?\n';
const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

describe('a question in another form than JSON', () => {
  it.each([
    ['YAML in a fence', fence('yaml', `clarify:\n${YAML_ITEM}`)],
    ['YAML in a fence of another name', fence('yml', 'open_questions:\n- text: Which region?\n  options: [EU, US]')],
    ['YAML in a fence without a name', fence('', `clarify:\n${YAML_ITEM}`)],
    ['YAML in a fence, with words behind it', `${fence('yaml', `clarify:\n${YAML_ITEM}`)}\n\nI wait.\n\nThanks.`],
    ['YAML in a fence that stays open', `\`\`\`yaml\nclarify:\n${YAML_ITEM}`],
    ['YAML without a fence', `clarify:\n${YAML_ITEM}`],
    ['YAML between dashes', '---\nstatus: continue\nopen_questions:\n  - Which region?\n---'],
    ['YAML with Windows ends of lines', fence('yaml', `clarify:\n${YAML_ITEM}`).replaceAll('\n', '\r\n')],
    ['YAML with a list on one line', fence('yaml', 'open_questions: ["Which region?"]')],
    ['YAML with a text below its key', fence('yaml', 'needs_clarification: |\n  - Which region?')],
    ['YAML with a question beside its key', 'open_questions: Which region?'],
    ['YAML in an item of a list', `- clarify:\n${YAML_ITEM}`],
    ['YAML with a comment', fence('yaml', `clarify: # one thing\n${YAML_ITEM}`)],
    ['YAML in Markdown', '**clarify:**\n- **to:** architect\n- **topic:** Adapter\n- **question:** Which?'],
    ['YAML of a failure', fence('yaml', 'status: failed\ntext: no disk')],
    ['YAML of a review', 'review:\n  verdict: rejected\n  body: no tests'],
    ['TOML', fence('toml', 'status = "continue"\n[[clarify]]\nto = "architect"\nquestion = "Which?"')],
    ['TOML on one line', 'open_questions = ["Which region?"]'],
    ['XML', '<reply>\n<clarify>\n<to>architect</to>\n<question>Which?</question>\n</clarify>\n</reply>'],
    ['XML with attributes', '<open_questions count="1"><question>Which region?</question></open_questions>'],
    ['JSON as HTML', JSON_REPLY.replaceAll('"', '&quot;')],
    ['JSON as HTML with numbers', JSON_REPLY.replaceAll('"', '&#34;')],
    ['JSON with numbered lines', PRETTY.map((line, index) => `${index + 1}  ${line}`).join('\n')],
    ['JSON behind the name of a container', PRETTY.map((line) => `agent-1  | ${line}`).join('\n')],
    ['JSON in Python', fence('python', `reply = ${JSON_REPLY}\nprint(reply)`)],
    ['JSON in a shell', fence('sh', `echo '${JSON_REPLY}'`)],
    ['an action in JSON', fence('json', '{"action": "ask_human", "action_input": "Which region?"}')],
    ['an action in words', 'Thought: I must know.\nAction: ask_human\nAction Input: Which region?'],
    [
      'JSON in a diff',
      fence('diff', '+{\n+  "clarify": [\n+    {"to":"architect","topic":"t","question":"q?"}\n+  ]\n+}'),
    ],
    ['a call in tags', '<invoke name="request_clarification">\n<parameter name="to">a</parameter>\n</invoke>'],
    ['a call in a tag', '<function=ask_human>\n<parameter=questions>["Which?"]</parameter>\n</function>'],
    ['a call in JSON', '<tool_call>\n{"name": "ask_human", "arguments": {"questions": ["Which?"]}}\n</tool_call>'],
    ['a call with a prefix', '{"tool": "mcp__agentx__ask_human", "input": {"questions": ["Which?"]}}'],
    ['a call in tags with a prefix', '<invoke name="mcp__agentx__request_clarification">\n<to>a</to>\n</invoke>'],
    ['a tag with a prefix', '<mcp__agentx__ask_human>\n<text>Which?</text>\n</mcp__agentx__ask_human>'],
    ['an action with a prefix', 'Action: mcp__agentx__ask_human\nAction Input: Which region?'],
    ['a call of work in tags with a prefix', '<invoke name="mcp__agentx__record_assumption">\n<a>b</a>\n</invoke>'],
    ['a call in JSON of several', '{"recipient_name": "functions.ask_human", "parameters": {"questions": ["Which?"]}}'],
    ['a call in JSON of a library', '{"toolName": "ask_human", "args": {"questions": ["Which?"]}}'],
    ['an action beside a status', '{"status":"continue","next":{"type":"ask_human","question":"Which region?"}}'],
    ['XML in capitals', '<Clarify>\n<To>architect</To>\n<Question>Which?</Question>\n</Clarify>'],
    ['a call in Python', fence('python', 'print(default_api.request_clarification(to="a", question="q?"))')],
    ['a call in a fence of tools', fence('tool_code', 'ask_human(questions=["Which region?"])')],
    ['a call in a list', '[request_clarification(to="architect", topic="Adapter", question="Which?")]'],
    [
      'a call of another program',
      '<tool_call>\n{"name": "ask_user", "arguments": {"question":"Which?"}}\n</tool_call>',
    ],
    ['a call of another editor', '<ask_followup_question>\n<question>Which?</question>\n</ask_followup_question>'],
    ['a call of another agent', '{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[]}}'],
    ['a call of a third agent', '{"name": "ask_user_question", "arguments": {"question": "Which region?"}}'],
    ['a call of a fourth agent', '{"tool": "request_user_input", "parameters": {"questions": ["Which region?"]}}'],
    ['a call of a fifth agent', '<invoke name="AskQuestion">\n<parameter name="q">Which?</parameter>\n</invoke>'],
    ['an action of another agent', 'Thought: I must know.\nAction: ask_question\nAction Input: Which region?'],
    ['a call by the name of its server', 'mcp__agentx__ask_human(questions=[{"text": "Which region?"}])'],
    ['a call by a short name of its server', 'agentx_request_clarification({"to": "architect", "question": "Which?"})'],
    [
      'a call named like a key',
      '<tool_call>\n{"name": "open_questions", "arguments": {"list": ["Which?"]}}\n</tool_call>',
    ],
    ['a call of a tool by its method', '<|python_tag|>request_clarification.call(to="architect", question="Which?")'],
    [
      'a call with tags of its arguments',
      '<tool_call>ask_human\n<arg_key>question</arg_key>\n<arg_value>Which?</arg_value>',
    ],
    [
      'a call that writes',
      '<tool_call>\n{"name":"write_artifact","arguments":{"path":"a","content":"b"}}\n</tool_call>',
    ],
    ['a call that assumes', '{"name": "record_assumption", "arguments": {"decision": "SQLite", "reasoning": "Fits."}}'],
    ['a call that settles', 'resolve_clarification(id="CLR-1-001", body="Clear.")'],
    ['a call that ends', '{"name": "finish", "arguments": {"status": "failed", "text": "No disk."}}'],
    ['a call in tags that ends', '<invoke name="finish">\n<parameter name="text">Done.</parameter>\n</invoke>'],
    ['fields in Markdown', '## Clarify\n- to: architect\n- topic: Adapter\n- question: Which?'],
    ['bold fields', '**To:** architect\n**Topic:** Adapter\n**Question:** Which?'],
    ['a list of questions', fence('json', '["Which region?", "Which colour?"]')],
    ['a list of questions with options', fence('json', '[{"question":"Which region?","options":["EU","US"]}]')],
    ['a list of texts with options', fence('json', '[{"text":"Which region?","options":["EU","US"]}]')],
    ['a reply in the answer', JSON.stringify({ answer: JSON_REPLY })],
    ['a reply in the text', JSON.stringify({ text: `I ask:\n${fence('json', JSON_REPLY)}`, status: 'done' })],
    ['YAML in the text', JSON.stringify({ text: `I ask:\nclarify:\n${YAML_ITEM}` })],
    ['YAML beside JSON', `${fence('yaml', `clarify:\n${YAML_ITEM}`)}\n\n{"status":"continue"}`],
  ])('is refused, and JSON is asked for: %s', (_, text) => {
    for (const output of [text, `I looked at it.\n\n${text}`]) {
      if (output !== text && text.startsWith('review')) continue;
      const { code, message } = refusalOf(() => parseReply(output));
      expect(code).toBe('AGENT_ERROR');
      expect(message).toContain('One JSON object is wanted, with the keys of a reply');
    }
  });

  it.each([
    ['colours', `\u001b[32m${JSON_REPLY}\u001b[0m`],
    ['colours in it', JSON_REPLY.replace('"clarify"', '\u001b[34;1m"clarify"\u001b[0m')],
    ['the mark of an end', `${JSON_REPLY}<|im_end|>`],
    ['the tag of an end', `${JSON_REPLY}</s>`],
    ['marks around it', `<|start|>${JSON_REPLY}<|return|>`],
    ['an answer around it', `<answer>\n${JSON_REPLY}\n</answer>`],
    ['only carriage returns', JSON.stringify({ clarify: [QUESTION] }, null, 2).replaceAll('\n', '\r')],
  ])('is read as JSON with %s', (_, text) => {
    expect(parseReply(text)).toEqual({ clarify: [QUESTION] });
  });

  it.each([
    '| # | Question | Options |\n|---|---|---|\n| 1 | Which region? | EU, US |',
    '## Open questions\n\n1. Which region?\n2. Which colour?',
    '<answer>Use SQLite.</answer>',
    'answer: Use SQLite.',
    'I had to clarify: the port is 8080.',
    'status: all tests are green, nothing is left',
    'The text is\n\nstatus: done\n\nand nothing else.',
    'The workflow:\n```yaml\non:\n  push:\njobs:\n  test:\n    runs-on: ubuntu-latest\n```',
    'The compose file:\n```yaml\nstatus: up\nservices:\n  db: {}\n```',
    'The type:\n```ts\ninterface Reply {\n  clarify: {\n    to: string;\n  }[];\n}\n```',
    'The tool `request_clarification` asks; call request_clarification(...) for that.',
    'needs_clarification: false',
    'To: ada@example.com\nSubject: the question',
    'The tool ask_user asks.',
    'The tools are write_artifact and finish.',
    'finish("quickly")',
    '{"name":"finish","version":"1.0.0"}',
    'Action: none\nStatus: green',
    'web-1  | listening\nweb-1  | status: ok',
    'I wrote:\n```js\nexport const labels = { "clarify": "Clarify", "status": ["x"] };\n```',
    'For example:\n```python\nreply = {"clarify": [{"to": "a"}]}\n```\n\nThat is how agents ask.',
    '{"faq":[{"question":"Which?","answer":"This."}],"verdicts":2}',
    'open_questions: []',
    '{"name":"clarify","version":"1.0.0"}',
    '{"name":"ask_question","version":"1.0.0"}',
    'The quiz:\n```js\nask_question("What is 2 + 2?");\n```',
    '[{"question":"Which region?","answer":"EU"}]',
    '["a", "b"]',
    '\u001b[32mDone.\u001b[0m',
  ])('is not seen in %j', (text) => {
    expect(parseReply(text)).toEqual({ text });
  });
});
