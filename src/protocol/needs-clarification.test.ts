import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockerOf,
  consequenceProblem,
  type PlanningRequest,
  problemsOf,
  readNeedsClarification,
  requestIn,
  writeNeedsClarification,
} from './needs-clarification.js';

const MARKDOWN = `I looked around first.

## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Missing External Data

**Evidence of Exhaustion:**
- Codebase search: No mail provider in config/ or
  in the deployment files
- Similar features: src/sms.ts sends text messages through a gateway
- Attempted inference: the gateway has no mail interface
- It cannot be told which provider is meant

**Question:** Which mail provider is used,
and from which address?

**Options:**
a) A local sink (nothing leaves the machine)
b) The company's relay
c) Both, chosen by
   an environment variable

**Safe Fallback:** If no response within 5 minutes, I will proceed with option (a)
a local sink because nothing can be sent to a customer by mistake.
This assumption will be logged with low risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after 5 minutes)
`;

const REQUEST: PlanningRequest = {
  blocker_type: 'Missing External Data',
  evidence: {
    codebase_search: 'No mail provider in config/ or in the deployment files',
    similar_features: 'src/sms.ts sends text messages through a gateway',
    attempted_inference: 'the gateway has no mail interface It cannot be told which provider is meant',
  },
  question: 'Which mail provider is used, and from which address?',
  options: [
    { id: 'a', label: 'A local sink (nothing leaves the machine)' },
    { id: 'b', label: "The company's relay" },
    { id: 'c', label: 'Both, chosen by an environment variable' },
  ],
  fallback: { option: 'a', reasoning: 'nothing can be sent to a customer by mistake', risk: 'low' },
};

describe("a request in an agent's text", () => {
  it('begins with its heading [PM-3/1]', () => {
    expect(requestIn(MARKDOWN)).toMatch(/^\s*## PM Status: NEEDS_CLARIFICATION/);
    expect(requestIn('PM Status: PLANNING. Nothing needs clarification.')).toBeUndefined();
    expect(requestIn('PM status: needs clarification of the price by Friday.')).toBeUndefined();
    const blank = ' \n'.repeat(20_000);
    expect(requestIn(`${blank}${' '.repeat(20_000)}Done.`)).toBeUndefined();
    expect(requestIn(`${blank}PM Status: NEEDS_CLARIFICATION`)).toBe('PM Status: NEEDS_CLARIFICATION');
    expect(requestIn('Done.\n\n## **PM Status: NEEDS_CLARIFICATION**\n')).toMatch(/^\s*## \*\*PM Status/);
  });

  it.each([
    'PM Status: NEEDS CLARIFICATION',
    'PM Status: Needs Clarification',
    '**PM Status:** NEEDS_CLARIFICATION',
    '**PM Status**: NEEDS_CLARIFICATION',
    '## PM Status: `NEEDS_CLARIFICATION`',
    '## PM-Status: NEEDS_CLARIFICATION',
    '## PM Status - NEEDS_CLARIFICATION',
    '### Project Manager Status: NEEDS_CLARIFICATION',
  ])('may spell its heading in another way: %s', (heading) => {
    const text = MARKDOWN.replace('## PM Status: NEEDS_CLARIFICATION', heading);
    const request = requestIn(text);
    expect(request?.startsWith(heading)).toBe(true);
    expect(readNeedsClarification(request)).toEqual(REQUEST);
  });

  it('is read whole, wrapped lines and all [PM-3/2] [PM-3/3] [PM-3/4] [PM-3/5] [PM-3/6] [PM-3/8]', () => {
    expect(readNeedsClarification(MARKDOWN)).toEqual(REQUEST);
    expect(problemsOf(REQUEST)).toEqual([]);
  });

  it.each([
    [
      'I will proceed with (b) the relay\nbecause it is safer. This will be logged as medium-confidence assumption.',
      'b',
      'medium',
    ],
    ['proceed with option [c] because it is safer.', 'c', undefined],
    ['I will not use (a); I proceed with b) since it is safer.', 'b', undefined],
    ['I will not proceed with option (a); I will proceed with option (b) because it is safer.', 'b', undefined],
    [
      "I won't proceed with (a), and rather than proceed with (c) I take option (b) because it is safer.",
      'b',
      undefined,
    ],
    ["Without an answer I will proceed with the company's relay because it is safer.", 'b', undefined],
    ['I will use option (b) because it is safer.', 'b', undefined],
    [
      'I proceed with option B because it is safer. This assumption will be logged with risk assessment.',
      'b',
      undefined,
    ],
  ])('reads a fallback that says: %s', (text, option, risk) => {
    const { fallback } = readNeedsClarification(MARKDOWN.replace(/If no response[\s\S]*low risk\./, text));
    expect(fallback).toEqual({ option, reasoning: 'it is safer', ...(risk === undefined ? {} : { risk }) });
  });

  it.each([
    ['its labels', '**$1:**', '**$1)**'],
    ['its letters', '**$1**:', '**$1**:'],
    ['whole options', '**$1:**', '**Option $1:**'],
  ])('reads %s in bold', (_, evidence, option) => {
    const text = MARKDOWN.replace(/(?<=^- )(Codebase search|Similar features|Attempted inference):/gm, evidence)
      .replace(/^([abc])\)/gm, `- ${option}`)
      .replace('option (a)', '**option (a)**');
    expect(readNeedsClarification(text)).toEqual(REQUEST);
  });

  it.each([
    ['without bold', (text: string) => text.replaceAll('**', '')],
    ['with headings', (text: string) => text.replace(/\*\*([\w ]+):\*\*/g, '### $1\n')],
    ['as a quotation', (text: string) => text.replace(/^/gm, '> ')],
    ['on Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('is read %s', (_, written) => {
    expect(readNeedsClarification(written(MARKDOWN))).toEqual(REQUEST);
  });

  it.each([
    ['numbers', (text: string) => text.replace(/^a\)/m, '1.').replace(/^b\)/m, '2.').replace(/^c\)/m, '3.')],
    [
      'names',
      (text: string) => text.replace(/^a\)/m, 'Option 1:').replace(/^b\)/m, 'Option 2:').replace(/^c\)/m, 'Option 3:'),
    ],
  ])('reads options with %s', (_, numbered) => {
    for (const first of ['option (1)', 'option 1', '1)', '(1)']) {
      const { options, fallback } = readNeedsClarification(numbered(MARKDOWN).replace('option (a)', first));
      expect(options).toEqual(REQUEST.options.map((option, index) => ({ ...option, id: String(index + 1) })));
      expect(fallback).toEqual({ ...REQUEST.fallback, option: '1' });
    }
  });

  it('reads letters that stand close to their options, and a numbered list of evidence', () => {
    const text = MARKDOWN.replace(/^([abc])\) /gm, '$1)')
      .replace('- Codebase', '1. Codebase')
      .replace('- Similar', '2. Similar');
    expect(readNeedsClarification(text.replace('- Attempted', '3) Attempted'))).toEqual(REQUEST);
  });

  it.each(['**Pros:**', '- **Pros:**', '- **Pros**:', 'Pros:'])('reads the arguments for an option: %s', (pros) => {
    const text = MARKDOWN.replace(/^([ab]\) .*)$/gm, `$1\n   ${pros} cheap\n   ${pros.replace('Pros', 'Cons')} slow`);
    const { options, fallback } = readNeedsClarification(text);
    expect(options.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(options[1]?.label).toMatch(/^The company's relay (?:- )?Pros: cheap (?:- )?Cons: slow$/);
    expect(fallback).toEqual(REQUEST.fallback);
  });

  it('keeps each of two questions, so that it is seen that there are two', () => {
    const text = MARKDOWN.replace('**Options:**', '**Question:** Who pays for it?\n\n**Options:**');
    expect(readNeedsClarification(text).question).toBe(`${REQUEST.question} Who pays for it?`);
  });

  it('is searched in time that grows with the text', () => {
    const before = process.cpuUsage();
    requestIn(`Done.${'\n'.repeat(20_000)}Bye.`);
    readNeedsClarification(`**a${' '.repeat(100_000)}b`);
    readNeedsClarification({ fallback: { option: 'a', reasoning: `${'.'.repeat(100_000)}x` } });
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('keeps findings of an investigator where there are some', () => {
    const text = MARKDOWN.replace(
      '- It cannot',
      '- Investigator findings: the relay is in another repository\n- It cannot',
    );
    expect(readNeedsClarification(text).evidence.investigator_findings).toMatch(/^the relay is in another repository/);
  });
});

describe('a request as fields', () => {
  const fields = {
    blocker_type: 'missing_external_data',
    evidence: REQUEST.evidence,
    question: REQUEST.question,
    options: [{ id: 'sink', label: 'A local sink' }, 'b) The relay', 'Both'],
    fallback: { option: 'sink', reasoning: 'Nothing is sent.', risk: 'low' },
  };

  it('is the same request [PM-3/11]', () => {
    expect(readNeedsClarification(fields)).toEqual({
      ...REQUEST,
      blocker_type: 'missing_external_data',
      options: [
        { id: 'a', label: 'A local sink' },
        { id: 'b', label: 'The relay' },
        { id: 'c', label: 'Both' },
      ],
      fallback: { option: 'a', reasoning: 'Nothing is sent', risk: 'low' },
    });
  });

  it('may be JSON in a text, and spell its names in another way', () => {
    const { codebase_search, similar_features, attempted_inference } = REQUEST.evidence;
    const request = {
      blockerType: fields.blocker_type,
      Evidence: { codebaseSearch: codebase_search, 'Similar features': similar_features, attempted_inference },
      question: fields.question,
      options: fields.options,
      safeFallback: fields.fallback,
    };
    expect(readNeedsClarification(request)).toEqual(readNeedsClarification(fields));
    expect(readNeedsClarification(JSON.stringify(fields))).toEqual(readNeedsClarification(fields));
  });

  it('may name its evidence as 002 does, and list what was searched', () => {
    const { codebase_search, ...rest } = REQUEST.evidence;
    const { evidence: _, ...others } = fields;
    const listed = {
      ...others,
      evidenceOfExhaustion: { ...rest, codebase_search: ['No mail provider in config/', 'or'] },
    };
    expect(readNeedsClarification({ ...others, evidence_of_exhaustion: REQUEST.evidence })).toEqual(
      readNeedsClarification(fields),
    );
    expect(readNeedsClarification(listed).evidence).toEqual({
      ...rest,
      codebase_search: 'No mail provider in config/; or',
    });
  });

  it('may list its options by id', () => {
    const options = { sink: 'A local sink', b: 'The relay', c: { label: 'Both' } };
    expect(readNeedsClarification({ ...fields, options })).toEqual(readNeedsClarification(fields));
  });

  it.each([
    ['(c)', 'c'],
    ['option b', 'b'],
    ['Both', 'c'],
    ['both', 'c'],
    ['c) Both', 'c'],
    ['B', 'b'],
  ])('names its fallback by id, letter, label or in words: %s', (option, id) => {
    const request = readNeedsClarification({ ...fields, fallback: { ...fields.fallback, option } });
    expect(request.fallback?.option).toBe(id);
  });

  it.each([{ option: 20 }, { optionId: 20 }, { option_id: '20' }])('may number its options: %j', (named) => {
    const options = [
      { id: 10, label: 'A local sink' },
      { id: 20, label: 'The relay' },
    ];
    const request = readNeedsClarification({
      ...fields,
      options,
      fallback: { reasoning: 'Nothing is sent.', ...named },
    });
    expect(request.fallback).toEqual({ option: 'b', reasoning: 'Nothing is sent' });
  });

  it('may give its fallback as a sentence', () => {
    const request = readNeedsClarification({ ...fields, fallback: 'The relay, because it is there.' });
    expect(request.fallback).toEqual({ option: 'b', reasoning: 'it is there' });
  });

  it.each([{ option: 2 }, { choice: 'b' }, { id: 'b' }, { text: 'The relay' }, {}])(
    'takes no option that its fallback does not name: %j',
    (named) => {
      const options = ['A local sink', 'The relay', 'Both'];
      const request = readNeedsClarification({
        ...fields,
        options,
        fallback: { reasoning: 'Nothing is sent.', ...named },
      });
      expect(problemsOf(request)).toEqual(['its fallback names none of the options (a, b, c)']);
    },
  );

  it.each([
    { context: 'This cannot be undone.' },
    { note: 'There is no undo.' },
    { impact: 'irreversible data loss' },
    { risk: 'high - irreversible' },
    { meta: { decision: { irreversible: true } } },
    { consequence: ['irreversible'] },
    { irreversibility: 'high' },
  ])('does not fall back if it says that it cannot be undone: %j [X-1/2] [X-1/3]', (wording) => {
    const [first, ...others] = fields.options;
    const option = { id: 'sink', label: 'A local sink', ...wording };
    expect(first).toMatchObject({ id: 'sink' });
    for (const request of [
      readNeedsClarification({ ...fields, ...wording }),
      readNeedsClarification(fields, wording),
      readNeedsClarification({ ...fields, fallback: { ...fields.fallback, ...wording } }),
      readNeedsClarification({ ...fields, options: [option, ...others] }),
    ]) {
      expect(problemsOf(request)).toHaveLength(1);
      expect(consequenceProblem(request)).toBeDefined();
    }
  });

  it.each([undefined, null, 7, [], {}, { options: 'a' }, { evidence: 7, fallback: [] }])(
    'reads %j without complaint',
    (request) => {
      expect(problemsOf(readNeedsClarification(request)).length).toBeGreaterThan(2);
    },
  );
});

describe('what is no request', () => {
  it.each([
    [
      'two options of one letter',
      { options: [...REQUEST.options, { id: 'a', label: 'Another' }] },
      'it has two options a',
    ],
    ['an empty question [PM-3/4]', { question: '' }, 'it asks no question'],
    ['one option [PM-3/5]', { options: REQUEST.options.slice(0, 1) }, 'it needs at least two options'],
    [
      'a fallback to nothing [PM-3/7]',
      { fallback: { option: 'z', reasoning: 'so' } },
      'its fallback names none of the options (a, b, c)',
    ],
    ['a fallback without a reason', { fallback: { option: 'a', reasoning: '' } }, 'its fallback gives no reason'],
    ['a very long question', { question: 'x'.repeat(2001) }, 'The question has 2001 characters. Allowed: up to 2000'],
  ])('is %s', (_, fields, problem) => {
    expect(problemsOf({ ...REQUEST, ...fields })).toEqual([problem]);
  });

  it('is one without a fallback [PM-3/6]', () => {
    const { fallback: _, ...rest } = REQUEST;
    expect(problemsOf(rest)).toEqual(['it declares no safe fallback']);
  });
});

describe('a blocker', () => {
  it.each([
    ['Mutually Exclusive Requirements', 'mutually_exclusive_requirements'],
    ['missing_external_data', 'missing_external_data'],
    ['Security Decision', 'security_decision'],
    ['Security/Legal Decision', 'security_decision'],
    ['Legal/Security Decision', 'security_decision'],
    ['Legal Decision', 'security_decision'],
    ['A) Mutually Exclusive Requirements', 'mutually_exclusive_requirements'],
    ['Missing External Data (API keys)', 'missing_external_data'],
    ['none', undefined],
    ['Technical detail (security decision)', undefined],
    ['Technical detail', undefined],
    ['', undefined],
  ])('%s is %s, as read from a request [PM-3/2]', (blocker_type, kind) => {
    expect(blockerOf({ blocker_type })).toBe(kind);
    const text = MARKDOWN.replace(/(?<=\*\*Blocker Type:\*\*).*/, ` ${blocker_type}`);
    expect(blockerOf(readNeedsClarification(text))).toBe(kind);
  });
});

describe('a request written by us', () => {
  it('says how long it waits, and closes with its status [PM-3/8]', () => {
    const text = writeNeedsClarification(REQUEST, 0.5);
    expect(text).toContain('If no response within 0.5 minutes, I will proceed with option (a) because');
    expect(text).toMatch(/\*\*Status:\*\* AWAITING_CLARIFICATION \(auto-proceed with fallback after 0\.5 minutes\)$/);
  });

  it('and read again is the same request [PM-3/9]', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map((raw) => raw.replace(/\s+/g, ' ').trim());
    const filled = text.filter((line) => line !== '');
    const hostile = fc.constantFrom(
      '**Options:** a) x',
      '- Codebase search: y',
      'b) z',
      'because I say so. This assumption will be logged with high risk. So there',
      '## PM Status: NEEDS_CLARIFICATION',
      '**Question:**',
    );
    const said = fc.oneof(filled, hostile);
    const stopless = said.map((one) => one.replace(/[.\s]+$/, '')).filter((one) => one !== '');
    const request: fc.Arbitrary<PlanningRequest> = fc
      .record({
        blocker_type: fc.constantFrom('Missing External Data', 'Security Decision', 'Something else'),
        evidence: fc.record(
          { codebase_search: said, similar_features: said, attempted_inference: said, investigator_findings: said },
          { requiredKeys: [] },
        ),
        question: said,
        labels: fc.array(said, { minLength: 2, maxLength: 12 }),
        chosen: fc.nat(),
        reasoning: stopless,
        risk: fc.option(
          stopless.filter((one) => !one.includes('will be logged')),
          { nil: undefined },
        ),
      })
      .map(({ labels, chosen, reasoning, risk, ...fields }) => {
        const options = labels.map((label, index) => ({ id: String.fromCharCode(97 + index), label }));
        const option = options[chosen % options.length]?.id ?? 'a';
        return { ...fields, options, fallback: { option, reasoning, ...(risk === undefined ? {} : { risk }) } };
      });
    fc.assert(
      fc.property(request, fc.constantFrom(5, 0.5, 1), (fields, minutes) => {
        expect(readNeedsClarification(writeNeedsClarification(fields, minutes))).toEqual(fields);
      }),
      { numRuns: 500 },
    );
  });
});
