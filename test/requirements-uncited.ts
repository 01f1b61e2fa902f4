/** Written by `npm run requirements -- --write`: what no test cites yet. It should only ever get shorter. */
// biome-ignore format: one id per line, so that two branches can both take some out
export const uncited: readonly string[] = [
  'X-12/1',
  'X-12/2',
  'X-12/3',
  'X-12/4',
  'X-12/6',
];
