const NOTHING =
  /^\W*(?:(?:there (?:is|are) |(?:i|we) have )?(?:no|none|null|nothing|false|n\/?a|not applicable|no (?:\w+ ){0,2}(?:questions?|clarifications?|blockers?))(?: (?:at this (?:time|point|stage)|for now|so far|currently|(?:is |are )?(?:needed|required|necessary|identified)|remain(?:s|ing)?|left|open|to (?:ask|clarify)))*[^\w?]*)?$/i;

/** Whether a field that a model filled in because it is there says that it has nothing to say. */
export function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === 'string') return NOTHING.test(value);
  return typeof value === 'object' && Object.keys(value).length === 0;
}
