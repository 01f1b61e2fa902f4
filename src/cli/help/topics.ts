import type { Command } from 'commander';
import { guidePages } from '../../app/help-pages.js';
import { visibleVerbs } from '../refuse-verb.js';

/** What `agentx help` explains: commands, and pages. A page that is named like a command is called by its file. */
export function topics(program: Command): readonly string[] {
  const nouns = visibleVerbs(program).map((verb) => verb.name());
  return [...nouns, ...guidePages().map((page) => (nouns.includes(page) ? `${page}.md` : page))];
}
