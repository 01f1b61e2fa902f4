/** Code in a fence; one that is not closed goes on to the end. */
export const FENCE = /^```[\s\S]*?(?:^```|(?![\s\S]))/gm;
/** What is longer is data or code in one line. */
const MAX_SENTENCE = 2000;

/** Sentences and list items, without fenced code and headings. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(FENCE, '\n')
    .split(/\n+|(?<=[.!?])\s+(?=[A-Z"'(`\d])/)
    .filter((line) => !/^\s*#{1,6}\s/.test(line))
    .map((part) => part.replace(/^\s*(?:[-*>]+|\d+[.)])\s+/, '').trim())
    .filter((part) => part.length <= MAX_SENTENCE && /\w/.test(part));
}

/*
 * What a sentence holds on to. Each pattern is one way to be definite: a number, a quotation, the name of a thing in
 * the code, a status, a condition, an enumeration that is complete.
 */
const ANCHORS: readonly RegExp[] = [
  /(?<![\w-])\d[\d.,:]*(?![\w-]*[a-z]{6})/i,
  // A cell, a version, a key: D14, v2, F5.
  /\b(?:[A-Z]{1,3}|v)\d+\b/,
  /"[^"]+"|`[^`]+`|'[^']{2,}'/,
  /(?:^|\s)\/[\w:.{}-]+|\b[\w-]+\/[\w./-]+\b|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|md|toml|json|ya?ml|sql|sh|css|html)\b/,
  /\b[a-z]+[A-Z]\w*\b|\b\w+_\w+\b|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b|\b\w+\(\)/,
  /\b(?:GET|POST|PUT|PATCH|DELETE)\b/,
  /\b(?:if|when|unless|until|whenever|once|while|instead of|rather than|without)\b(?! (?:something|it makes sense|necessary|needed|possible|appropriate|they ask))/i,
  /[:;]\s+\S+/,
  /\b\w+, \w+(?:,? (?:and|or) \w+)\b/,
  /\b(?:only|except|exactly|at most|at least|no more than|every|each|all|never|always)\b/i,
  /\b(?:UTC|UTF-8|JSON|CSV|ISO[ -]?\d+|SHA-?\d+|HTTP|UUID|WebP|PNG|JPEG|argon2id|bcrypt|None|null|NaN|True|False)\b/,
];

export function anchorsIn(sentence: string): number {
  return ANCHORS.filter((pattern) => pattern.test(sentence)).length;
}
