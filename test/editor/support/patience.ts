/**
 * Generous, because no test is about how soon something happens. On a machine that has much else to do, a window takes
 * more than a minute until its extensions run.
 */
export const PATIENCE_MS = 180_000;
