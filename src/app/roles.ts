import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Roles } from '../ports/roles.js';
import { parseAgentName } from '../protocol/ids.js';
import { errorCode } from '../storage/files/file-system.js';
import { asStoreError } from '../storage/files/store-error.js';

/** The role instructions in `agents/{name}.md` of a `.agentx` folder, as they are at the moment. */
export function openRoles({ root }: { readonly root: string }): Roles {
  return {
    async of(agent) {
      const path = join(root, 'agents', `${parseAgentName(agent)}.md`);
      try {
        return (
          readFileSync(path, 'utf8')
            .replace(/^\ufeff/, '')
            .trim() || undefined
        );
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        // An agent that is started without its instructions would do something else than the user wants.
        throw asStoreError('read', path, error);
      }
    },
  };
}
