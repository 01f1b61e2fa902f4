/* Where this version keeps records: in files of the `.agentx` folder. In the words of an error, after the key. */

const REMEDY = 'Write that, or remove the key';

export const ONLY_LOCAL = `can only be "local" in this version: issues are files in .agentx, not yet on GitHub. ${REMEDY}`;
export const ONLY_FILES = `can only be "" in this version: records are files in .agentx, not yet in a database. ${REMEDY}`;
