import * as z from 'zod/mini';
import { IssueNumber } from '../../protocol/ids.js';

/** Arguments that several tools take. */

export const From = z.exactOptional(
  z.string().check(z.describe('The agent that you are, such as engineer. Leave it out if you were started as one.')),
);

export const IssueArgument = z.exactOptional(
  IssueNumber.check(z.describe('The number of the issue. Leave it out if you were started for one.')),
);

export const ClarificationArgument = z.string().check(z.describe('Its id, such as CLR-42-001.'));
