/** What the user wants an agent to know about its role, whatever it is asked to do. */
export interface Roles {
  /** Undefined where nothing is written about the agent. */
  of(agent: string): Promise<string | undefined>;
}
