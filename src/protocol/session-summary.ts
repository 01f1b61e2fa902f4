/*
 * What is left of a session when it is over: four sections, always in this order and under these headings, each fact on
 * one line that begins with `- `. A section without facts is its heading alone. The memory of later sessions reads
 * this.
 *
 *   ## Decisions
 *
 *   - Use PostgreSQL 16 in production. (CLR-42-001, architect)
 *
 *   ## Code changes
 *   ...
 */

export interface SessionSummary {
  readonly decisions: readonly string[];
  readonly codeChanges: readonly string[];
  readonly errors: readonly string[];
  readonly keyFacts: readonly string[];
}

export const EMPTY_SUMMARY: SessionSummary = { decisions: [], codeChanges: [], errors: [], keyFacts: [] };

export const SUMMARY_SECTIONS = [
  ['decisions', 'Decisions'],
  ['codeChanges', 'Code changes'],
  ['errors', 'Errors'],
  ['keyFacts', 'Key facts'],
] as const satisfies readonly (readonly [keyof SessionSummary, string])[];

export function summaryText(summary: SessionSummary): string {
  const sections = SUMMARY_SECTIONS.map(([key, heading]) => {
    const facts = summary[key].map((fact) => `- ${fact.replace(/\s+/g, ' ').trim()}`);
    return [`## ${heading}`, ...(facts.length > 0 ? ['', ...facts] : [])].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}

/** Reads the same back. Other headings, and lines that are no list items, are left out. */
export function parseSummary(text: string): SessionSummary {
  const sections: Record<keyof SessionSummary, string[]> = { decisions: [], codeChanges: [], errors: [], keyFacts: [] };
  let section: keyof SessionSummary | undefined;
  for (const line of text.split(/\r?\n/)) {
    const heading = /^#{1,6}\s+(.+)$/.exec(line)?.[1]?.trim().toLowerCase();
    if (heading !== undefined) section = SUMMARY_SECTIONS.find(([, name]) => name.toLowerCase() === heading)?.[0];
    const fact = /^[-*]\s+(.*\S)\s*$/.exec(line)?.[1];
    if (fact !== undefined && section !== undefined) sections[section].push(fact);
  }
  return sections;
}
