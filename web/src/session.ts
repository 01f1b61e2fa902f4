import { messageOf } from '../../src/protocol/errors.js';
import type { SessionBody } from '../../src/protocol/rest.js';
import { isLocked, logIn, Offline, request, takeToken } from './api.js';
import { keepDecisions, startAnew } from './browser-storage.js';
import { forgetAllDrafts } from './drafts.js';
import { addProblem } from './notices.js';
import { forgetOutgoing, keepWaiting, sendNow } from './outgoing.js';
import { learnServerTime } from './server-clock.js';
import { change, current, NOTHING_READ } from './state.js';
import { ofBrowser } from './storage.js';

/*
 * The person at this page, whom the server knows by a cookie that all tabs share. A page that the server does not know
 * (any more) is locked until the link is opened in it or in another tab. Everything written is kept.
 */

const LOOK_MS = 3_000;
/** A message to the other tabs. */
const RENAMED = 'agentx renamed';

let onKnown: () => void = () => {};

export async function openSession(onOpen: () => void): Promise<void> {
  onKnown = onOpen;
  addEventListener('hashchange', () => {
    const token = takeToken();
    if (token !== undefined) void enter(token);
  });
  addEventListener('storage', ({ key }) => key === RENAMED && void enter());
  setInterval(() => current().phase === 'locked' && void enter(), LOOK_MS);
  await enter(takeToken());
}

/** The token of the link, until the server has accepted or refused it. */
let unheardToken: string | undefined;

/** With the token of the link; without it, an earlier cookie must do. Whether the server has accepted or refused it. */
export async function enter(token = unheardToken): Promise<boolean> {
  unheardToken = token;
  try {
    const session = await logIn(token);
    unheardToken = undefined;
    enterSession(session);
  } catch (error) {
    if (isLocked(error)) unheardToken = undefined;
    else notEntered(error, token);
  }
  return unheardToken === undefined;
}

function notEntered(error: unknown, token: string | undefined): void {
  const { phase } = current();
  // A locked page looks again by itself.
  const isAsked = phase !== 'locked' || token !== undefined;
  if (phase === 'loading') change({ phase: 'failed', problem: messageOf(error) });
  else if (isAsked && !(error instanceof Offline)) addProblem(messageOf(error));
}

function enterSession({ now, ...session }: SessionBody): void {
  learnServerTime(now);
  const { principal, projectId } = current();
  const isOtherProject = session.projectId !== projectId;
  if (isOtherProject || session.principal !== principal) {
    // Decisions that wait here go along with the person; those for another project stay stored for it.
    if (!isOtherProject) keepDecisions([]);
    startAnew();
    forgetAllDrafts();
  }
  if (isOtherProject && projectId !== '') forgetProject(projectId, session.projectId);
  change(session);
  keepWaiting();
  onKnown();
}

/** Nothing of one project is shown, or sent, in another; unsent decisions wait for their own project. */
function forgetProject(projectBefore: string, now: string): void {
  forgetOutgoing();
  change(NOTHING_READ);
  addProblem(
    `Another project answers at this address: ${now}. What you wrote for ${projectBefore} is kept until it does again.`,
  );
}

/** Whether requests reach the server. Its time is learnt again: the clock of this machine may have been set since. */
export async function reach(): Promise<boolean> {
  try {
    learnServerTime((await request<SessionBody>('GET', '/api/v1/session')).now);
    return true;
  } catch (error) {
    return !(error instanceof Offline);
  }
}

/** After a failure at the start. */
export async function tryAgain(): Promise<void> {
  change({ phase: 'loading' });
  await enter();
}

/** The name under which this person answers from now on; earlier decisions keep the old one. */
export async function rename(name: string): Promise<void> {
  await sendNow();
  try {
    const session = await request<SessionBody>('POST', '/api/v1/session', { name });
    ofBrowser.set(RENAMED, `${name} ${Date.now()}`);
    change({ isNaming: false });
    enterSession(session);
  } catch (error) {
    addProblem(`You are still called ${current().principal}, not ${name}: ${messageOf(error)}`);
  }
}
