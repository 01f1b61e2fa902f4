/** What the user wants an agent to know about its role, whatever it is asked to do. */
export interface Roles {
  /** Undefined if there is no text about the agent. */
  of(agent: string): Promise<string | undefined>;
}
