/** Why a file cannot be changed in place, as the rest of a sentence that begins with its name: `is no valid JSON`. */
export class UneditableError extends Error {
  override readonly name = 'UneditableError';

  constructor(
    problem: string,
    /** What the user can do about it. */
    readonly todo = 'Mend it, then run this again.',
  ) {
    super(problem);
  }
}
