export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a content that is text, or a list of parts with text in them. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .map((part) => string(part.text))
    .join('');
}

export function parsed(text: unknown): unknown {
  try {
    return JSON.parse(string(text));
  } catch {
    return text;
  }
}
