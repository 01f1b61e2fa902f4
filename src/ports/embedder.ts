/** Turns texts into vectors; the smaller the angle between two, the nearer their meanings. */
export interface Embedder {
  /** One vector for each text, in their order. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}
