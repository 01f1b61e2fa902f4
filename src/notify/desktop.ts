import { shorten } from '../protocol/shorten.js';
import { plainLine } from '../render/plain-text.js';
import { choiceLine, type Letter, subjectOf } from './letter.js';
import { type Environment, type Send, type SendPorts, sayable } from './sender.js';

/*
 * Shows a note on the screen. It uses the desktop's program if there is one, else the terminal of this process (OSC 9,
 * or OSC 777 in terminals that use it). The text is an argument of its own, never part of a script or a sequence.
 */

const TITLE = 'AgentX';
const MAX_TITLE = 100;
const MAX_BODY = 300;

export type DesktopWay = 'notify-send' | 'osascript' | 'terminal';

/** Undefined if this machine has no desktop and the process no terminal. */
export function desktopWay(
  ports: Pick<SendPorts, 'hasProgram' | 'platform' | 'terminal' | 'env'>,
): DesktopWay | undefined {
  const program = ports.platform === 'darwin' ? 'osascript' : 'notify-send';
  if (ports.hasProgram(program)) return program;
  return ports.terminal !== undefined && !isSimple(ports.env) ? 'terminal' : undefined;
}

export const sendDesktop: Send = async (letter, channel, ports) => {
  const { title, body } = noteOf(letter);
  const way = desktopWay(ports);
  if (way === undefined) return { outcome: 'refused', error: 'there is neither a desktop nor a terminal' };
  if (way === 'terminal') {
    ports.terminal?.(sequenceOf({ title, body }, ports.env));
    return { outcome: 'sent' };
  }
  const command = way === 'osascript' ? appleScript(title, body) : notifySend(title, body);
  const { cwd, env } = ports;
  const { end, stderr } = await ports.runProgram({ command, cwd, env, timeoutSeconds: channel.timeoutMs / 1000 });
  if (typeof end === 'object' && 'code' in end && end.code === 0) return { outcome: 'sent' };
  if (ports.terminal !== undefined && !isSimple(env)) {
    ports.terminal(sequenceOf({ title, body }, env));
    return { outcome: 'sent' };
  }
  return { outcome: 'failed', error: sayable(`${way} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`, channel) };
};

function noteOf(letter: Letter) {
  const [only, ...others] = letter.items;
  const isOne = only !== undefined && others.length === 0;
  const lines = isOne
    ? [
        ...only.choices.map((choice) => choiceLine(only, { ...choice, description: '' }).replace(/ - $/, '')),
        ...only.facts,
      ]
    : letter.items.map(({ headline }) => headline);
  return { title: shorten(subjectOf(letter), MAX_TITLE), body: shorten(lines.join('\n'), MAX_BODY) };
}

/** Desktops may show the body as markup. */
function notifySend(title: string, body: string): readonly string[] {
  const text = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', `--app-name=${TITLE}`, '--', title, text];
}

function appleScript(title: string, body: string): readonly string[] {
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];
  return ['osascript', ...script.flatMap((line) => ['-e', line]), title, body];
}

/** A terminal that shows sequences instead of obeying them. */
function isSimple({ TERM = '' }: Environment): boolean {
  return TERM === '' || TERM === 'dumb' || TERM === 'linux';
}

function sequenceOf({ title, body }: { readonly title: string; readonly body: string }, env: Environment): string {
  // A sequence begins with a word of ours: some terminals read numbers there as commands.
  const text = plainLine(`${title} ${body}`);
  const sequence = wants777(env)
    ? `\u001b]777;notify;${TITLE};${text.replaceAll(';', ',')}\u0007`
    : `\u001b]9;${TITLE}: ${text}\u0007`;
  // tmux passes only wrapped sequences on to its terminal.
  return env.TMUX ? `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\` : sequence;
}

function wants777({ TERM = '', VTE_VERSION }: Environment): boolean {
  return /^(?:rxvt|foot)/.test(TERM) || Boolean(VTE_VERSION);
}
