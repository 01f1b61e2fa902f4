/** 0 is no limit. */
export interface RunLimits {
  readonly maxCost: number;
  readonly maxTokens: number;
}

export const NO_LIMITS: RunLimits = { maxCost: 0, maxTokens: 0 };
