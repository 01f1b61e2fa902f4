import { issueLabel } from '../../src/protocol/issue-label.js';
import type { Question } from '../../src/protocol/question.js';
import { titleOf } from '../../src/protocol/question-summary.js';
import { plainLine } from '../../src/render/plain-text.js';
import { open } from './go.js';
import { change } from './state.js';
import { ofBrowser } from './storage.js';

/*
 * Notes of the browser about new questions, for a person who looks at something else. The permission is asked for on a
 * click and at no other time. Tabs of the same browser show one note together, because it is named after the question.
 */

const WANTED = 'agentx notes';
const MAX_TITLE = 120;

/** Whether this browser has notes, and the person has not forbidden them. */
export function canNote(): boolean {
  return 'Notification' in window && Notification.permission !== 'denied';
}

export function areNotesOn(): boolean {
  return canNote() && Notification.permission === 'granted' && ofBrowser.get(WANTED) === 'yes';
}

/** On a click: asks for the permission, or turns the notes off. */
export async function switchNotes(): Promise<void> {
  if (areNotesOn()) {
    ofBrowser.remove(WANTED);
    return change({ notice: { kind: 'done', text: 'This browser does not notify you any more.' } });
  }
  if ((await Notification.requestPermission()) !== 'granted') {
    return change({
      notice: { kind: 'hint', text: 'This browser does not allow it: see its settings for this page.' },
    });
  }
  ofBrowser.set(WANTED, 'yes');
  change({ notice: { kind: 'done', text: 'This browser notifies you of new questions while you look elsewhere.' } });
}

/** Nothing for a person who sees the page, or who snoozed the question. */
export function note(question: Question): void {
  if (!areNotesOn() || document.hasFocus() || question.snoozed !== undefined) return;
  const shownNote = noteOf(question);
  shownNote?.addEventListener('click', () => {
    window.focus();
    shownNote.close();
    open({ view: 'inbox', id: question.id });
  });
}

/** Browsers of phones allow notes and then refuse to make one for a page. */
function noteOf(question: Question): Notification | undefined {
  try {
    return new Notification(`${plainLine(question.askedBy.agent)} asks (${issueLabel(question.issueNumber)})`, {
      body: plainLine(titleOf(question)).slice(0, MAX_TITLE),
      tag: question.id,
    });
  } catch {
    return undefined;
  }
}
