/** A unique name; `crypto.randomUUID` is missing on pages that come without TLS from another machine. */
export function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
