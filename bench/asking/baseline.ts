/** A list of weak words, as tools for requirements use it: the text is ambiguous if one of them is in it. */
const WEAK_WORDS =
  /\b(?:may|might|could|can|should|would|maybe|perhaps|possibly|probably|presumably|usually|often|sometimes|generally|normally|typically|some|several|few|many|most|various|certain|any|appropriate|adequate|suitable|reasonable|relevant|sufficient|easy|easily|fast|quick|quickly|simple|large|small|user[- ]friendly|intuitive|flexible|efficient|robust|better|best|improved?|properly|as needed|as appropriate|if necessary|if possible|where possible|and\/or|etc|tbd|or|not sure|unclear|assumed?|guess)\b/i;

export function isWeak(text: string): boolean {
  return WEAK_WORDS.test(text);
}
