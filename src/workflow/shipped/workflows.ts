import type { IssueType } from '../../protocol/issue.js';
import { BUG } from './bug.js';
import { EPIC } from './epic.js';
import { FEATURE } from './feature.js';
import { STORY } from './story.js';

/** What `init` writes, and what an issue follows if its type has no file. */
export const SHIPPED_WORKFLOWS: Readonly<Record<IssueType, string>> = {
  feature: FEATURE,
  story: STORY,
  bug: BUG,
  epic: EPIC,
};
