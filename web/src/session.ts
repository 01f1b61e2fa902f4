import { isLocked, logIn, messageOf, Offline, request, type Session, takeToken } from './api.js';
import { forgetAllDrafts } from './drafts.js';
import { startAnew } from './kept-here.js';
import { addProblem } from './notices.js';
import { sendNow } from './outgoing.js';
import { change, current } from './state.js';

/*
 * Who is at this page, as the server knows them by a cookie that all tabs share. A page that the server does not know (any
 * more) is locked, with everything that was written kept, until the link is opened in it or in another tab.
 */

const LOOK_MS = 3_000;
/** Tells the other tabs. */
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

/** With the token of the link; without it, the cookie of before has to do. */
export async function enter(token?: string): Promise<void> {
  try {
    known(await logIn(token));
  } catch (error) {
    if (isLocked(error)) return;
    if (current().phase === 'loading') change({ phase: 'failed', problem: messageOf(error) });
    else if (!(error instanceof Offline)) addProblem(messageOf(error));
  }
}

function known(session: Session): void {
  const { principal, projectId } = current();
  const isOther = session.principal !== principal || session.projectId !== projectId;
  change(session);
  if (isOther) {
    startAnew();
    forgetAllDrafts();
  }
  onKnown();
}

/** Under which name this person answers from now on; what was decided before goes under the old one. */
export async function rename(name: string): Promise<void> {
  await sendNow();
  try {
    const session = await request<Session>('POST', '/api/v1/session', { name });
    localStorage.setItem(RENAMED, `${name} ${Date.now()}`);
    change({ isNaming: false });
    known(session);
  } catch (error) {
    if (!isLocked(error)) addProblem(`You are still called ${current().principal}: ${messageOf(error)}`);
  }
}
