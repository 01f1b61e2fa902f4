/** Colour only on a terminal, unless the user says otherwise: NO_COLOR wins over FORCE_COLOR. */
export function wantsColour(stream: { readonly isTTY?: boolean }, environment = process.env): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return stream.isTTY === true && environment.TERM !== 'dumb';
}
