/** FNV-1a over the UTF-16 units, 64 bits: not secret, only well spread. */
export function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** The same as `escalationQuestionId`, for callers that know the id to be that of a clarification. */
export function derivedEscalationId(clarificationId: string, round: number): string {
  return `oq-${fnv1a64(`${clarificationId}/${round}`)}`;
}
