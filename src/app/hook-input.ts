/** What a client tells its hooks about the session on stdin. */
export interface HookInput {
  readonly transcript?: string;
  readonly sessionId?: string;
  /** The session goes on, with everything that it was told before. */
  readonly isResumed?: boolean;
}

/** A client that keeps the pipe open must not keep the hook. */
const LONGEST_WAIT_MS = 5000;
const MOST_CHARACTERS = 1024 * 1024;

/** Reads one JSON object. Anything else, and a terminal, tells nothing. */
export async function readHookInput(stdin: NodeJS.ReadStream = process.stdin): Promise<HookInput> {
  if (stdin.isTTY === true) return {};
  const text = await textOf(stdin);
  try {
    const input = Object(JSON.parse(text));
    const transcript = input.transcript_path ?? input.transcriptPath;
    const sessionId = input.session_id ?? input.sessionId;
    return {
      ...(typeof transcript === 'string' && transcript !== '' && { transcript }),
      ...(input.source === 'resume' && { isResumed: true }),
      ...(typeof sessionId === 'string' && /^[\w.:-]{1,100}$/.test(sessionId) && { sessionId }),
    };
  } catch {
    return {};
  }
}

function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      clearTimeout(timer);
      stdin.off('data', onData).off('end', end).off('error', end).pause();
      stdin.unref?.();
      resolve(text);
    };
    const onData = (part: string) => {
      text += part;
      if (text.length > MOST_CHARACTERS || isWhole(text)) end();
    };
    const timer = setTimeout(end, LONGEST_WAIT_MS);
    stdin.setEncoding('utf8').on('data', onData).on('end', end).on('error', end);
  });
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
