/** `npm run test:faults` takes its time; `npm test` runs the same tests with fewer repetitions. */
export const isLong = process.env.AGENTX_FAULTS === 'long';

export const repetitions = (counts: { readonly short: number; readonly long: number }): number =>
  isLong ? counts.long : counts.short;
