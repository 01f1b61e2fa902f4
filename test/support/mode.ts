/** `npm run test:faults` takes its time; `npm test` runs the same tests with fewer repetitions. */
export const isLong = process.env.AGENTX_FAULTS === 'long';

export const repetitions = (counts: { readonly short: number; readonly long: number }): number =>
  isLong ? counts.long : counts.short;

const STRIDE = repetitions({ short: 3, long: 1 });

/** Every third number from 1 to `most`, others in each run; with the long tests all of them. */
export function somewhereUpTo(highest: number): readonly number[] {
  const first = 1 + Math.floor(Math.random() * STRIDE);
  return Array.from(
    { length: Math.max(0, Math.ceil((highest - first + 1) / STRIDE)) },
    (_, index) => first + index * STRIDE,
  );
}
