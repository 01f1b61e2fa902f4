/** The input and the report of the program `commander`. */
export interface CommanderConfig {
  readonly root: string;
  readonly command: CommandName;
  /** The time of the command, for the clock. */
  readonly at: string;
  /** The process kills itself at this call, counted among those that change something. */
  readonly killAt?: number;
}

export type CommandName =
  | 'ask'
  | 'ask someone who fails'
  | 'follow up'
  | 'follow up once too often'
  | 'answer'
  | 'resolve'
  | 'escalate'
  | 'resolve what is escalated'
  | 'answer in the inbox'
  | 'decline in the inbox'
  | 'finish work'
  | 'sweep';

export type CommanderReport =
  | { readonly acknowledged: { readonly clarificationId?: string; readonly status?: string } }
  | { readonly refused: string }
  | { readonly calls: number };
