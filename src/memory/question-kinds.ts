/* What a question asks for: a number, a time, a person, a reason, a yes. Pure. */

export const isAmount = (kind: Kind): boolean => ['count', 'size', 'quantity', 'duration'].includes(kind);

export type Kind =
  | 'count'
  | 'duration'
  | 'frequency'
  | 'size'
  | 'quantity'
  | 'time'
  | 'place'
  | 'person'
  | 'reason'
  | 'manner'
  | 'choice'
  /** Whether this or that. */
  | 'alternative'
  /** From what on. */
  | 'threshold'
  /** Whether there is one; an answer that says what it is says that too. */
  | 'existence'
  | 'yesno'
  | 'open';

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/\b(?:is|are) there (?:an?|any)\b/, 'existence'],
  [
    /\b(?:at|from|below|above|under) (?:which|what) (?:\w+ ){0,2}(?:level|threshold|point|percentage)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}threshold\b/,
    'threshold',
  ],
  [/\bwhat is the (?:\w+ ){0,2}(?:scheme|convention|procedure|process)\b/, 'manner'],
  [
    /\bhow (?:often|frequent(?:ly)?)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:interval|frequency)\b|\bhow many times\b/,
    'frequency',
  ],
  [/\bhow (?:many|few)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:number|count)\b/, 'count'],
  [/\bhow (?:large|big|wide|deep|far|high|small)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}size\b/, 'size'],
  [
    /\bhow long\b|\bhow soon\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:duration|timeout|ttl|lifetime|period|retention|time limit)\b/,
    'duration',
  ],
  [
    /\bhow (?:much|old|fast)\b|\b(?:what|which) (?:is the )?(?:\w+ ){0,2}(?:limit|maximum|minimum|length|rate|cap|ceiling|quota)\b/,
    'quantity',
  ],
  [/\bwhy\b|\bwhat is the reason\b/, 'reason'],
  [
    /(?<!\b(?!is |was |does )\w+s |\b\w*one |\bperson |\buser )\b(?:whom?|whose)\b|\bwhich (?:role|user|team|person|people|group)s?\b/,
    'person',
  ],
  [
    /\bwhere\b|\b(?:in )?which (?:\w+ )?(?:folder|file|directory|table|bucket|region|place|repository|repo|path|location)\b/,
    'place',
  ],
  [
    // After another question word, or a verb that asks, it opens a clause: "how do we round when settling".
    /(?<!\b(?:how|what|which)\b.*|^(?:is|are|do|does|should|may|must|will) (?!you (?:know|say)\b).*)\bwhen\b(?! (?:a|an|the|it|we|they|i|you|there|this|that|one|two|some|no|its|their|his|her|our|someone)\b)|\bwhat (?:time|date)(?= (?:is|are|do|does|did|should|must|will|can|may|was)\b|\?)/,
    'time',
  ],
  [/\bwhich\b|\bwhat\b/, 'choice'],
  [/\bor\b/, 'alternative'],
  [/\bhow\b/, 'manner'],
  [/^(?:[^?]*[.,;:] )?(?:is|are|do|does|did|should|shall|can|may|must|will|would|has|have|could|need)\b/, 'yesno'],
];

export function kindOf(text: string): Kind {
  const questions = text.split(/(?<=[.!?])\s+/).filter((part) => part.includes('?'));
  const question = questions.at(-1) ?? text;
  return KINDS.find(([pattern]) => pattern.test(question))?.[1] ?? 'open';
}

const ALIKE: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  quantity: ['count', 'duration', 'frequency', 'size'],
  threshold: ['time', 'quantity', 'count', 'size', 'choice'],
  alternative: ['choice'],
  duration: ['time'],
};

export function isCompatible(left: Kind, right: Kind): boolean {
  const isAlike = (one: Kind, other: Kind) => ALIKE[one]?.includes(other) ?? false;
  return left === right || left === 'open' || right === 'open' || isAlike(left, right) || isAlike(right, left);
}
