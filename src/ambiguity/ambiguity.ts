export type AmbiguityKind =
  /** Two or more possibilities, and none is taken. */
  | 'choice'
  /** A decision that its author says was guessed. */
  | 'guess'
  /** A value that is not there yet. */
  | 'missing'
  /** A quality or an amount without a measure. */
  | 'measure'
  /** A task that names neither what exactly nor when it is done. */
  | 'gap'
  /** Something that is known only to those who were there. */
  | 'reference'
  /** Two statements that cannot both hold. */
  | 'contradiction';

export interface Ambiguity {
  readonly kind: AmbiguityKind;
  readonly quote: string;
}

export function finding(kind: AmbiguityKind, quote: string, isFound: boolean): readonly Ambiguity[] {
  return isFound ? [{ kind, quote }] : [];
}
