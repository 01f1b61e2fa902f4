import { join } from 'node:path';
import { writeSampleProject } from '../../../scripts/sample-project.mjs';
import { aRepository } from '../../scenarios/support/agentx.js';

/** A project in the middle of its work: the one that the pictures of the page show, too. */
export async function aSampleProject(config = ''): Promise<string> {
  const folder = await aRepository({ config });
  writeSampleProject(join(folder, '.agentx'), { projectId: 'shop' });
  return folder;
}
