/** Replies of the model in one turn. */
export const STEPS = 12;

export const PROMPT = 'Find out which port the server listens on. '.repeat(40);
export const CONTENT = 'export const port = 4820;\n'.repeat(80);

export interface Contender {
  readonly title: string;
  /** One whole turn: all steps against the server at this address. */
  open(url: string, folder: string): Promise<() => Promise<void>>;
}
