/** The text, or its beginning and three dots: never half of a character, which no record may hold. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}...`;
}
