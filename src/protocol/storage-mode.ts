/* Where this version keeps records: in files of the `.agentx` folder. In the words of an error, after the key. */

const REMEDY = 'Write that, or remove the key';

/** Where issues are kept. */
export type Mode = 'local' | 'github';

export const LOCAL_OR_GITHUB = `can only be "local" or "github": issues are files in .agentx, or GitHub's. ${REMEDY}`;
export const ONLY_FILES = `can only be "" in this version: records are files in .agentx, not yet in a database. ${REMEDY}`;
