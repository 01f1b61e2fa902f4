import type { Artifact } from '../protocol/brief.js';
import type { RestsOn } from '../protocol/clarification.js';
import { fnv1a64 } from '../protocol/derived-id.js';
import { wordsOf } from '../protocol/similarity.js';

/*
 * What an answer rests on: of each artifact that its author had, the section that is about the same. A hash of it is kept
 * with the answer. When the section has changed since, the answer may be wrong.
 */

/** Fewer words in common say nothing, unless the answer names the file. To ask once more costs less than an old answer. */
const MIN_SHARED = 2;

/** Pure. */
export function restsOn(artifacts: readonly Artifact[], text: string): readonly RestsOn[] {
  const words = wordsOf(text);
  return artifacts.flatMap(({ path, content }) => {
    const [best] = sectionsOf(content)
      .map((section) => ({ section, shared: sharedBy(words, wordsOf(`${section.heading} ${section.text}`)) }))
      .toSorted((left, right) => right.shared - left.shared);
    if (best === undefined || best.shared < (text.includes(path) ? 1 : MIN_SHARED)) return [];
    return [{ path, heading: best.section.heading, hash: hashOf(best.section.text) }];
  });
}

/** Whether every section still says what it said. Pure. */
export function isUnchanged(sections: readonly RestsOn[], artifacts: readonly Artifact[]): boolean {
  return sections.every(({ path, heading, hash }) => {
    const artifact = artifacts.find((one) => one.path === path);
    const sectionsNow = sectionsOf(artifact?.content ?? '').filter((section) => section.heading === heading);
    return sectionsNow.some(({ text }) => hashOf(text) === hash);
  });
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** By Markdown headings; what stands before the first one is a section without a name. */
function sectionsOf(content: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  for (const line of content.split(/\r?\n/)) {
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '');
}

/** Spaces and line breaks say nothing. */
function hashOf(text: string): string {
  return fnv1a64(text.replace(/\s+/g, ' ').trim());
}

function sharedBy(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of left) if (word.length > 3 && right.has(word)) shared++;
  return shared;
}
