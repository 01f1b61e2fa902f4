import { messageOf } from '../../src/protocol/errors.js';
import type { Question } from '../../src/protocol/question.js';
import type { NotificationBody } from '../../src/protocol/rest.js';
import { request } from './api.js';
import { updated } from './list.js';
import { addProblem } from './notices.js';
import { at, change } from './state.js';

/** No channel reminds people of the question for so long; 0 ends that. */
export async function snooze({ id }: Question, minutes: number): Promise<void> {
  try {
    const { notification } = await request<NotificationBody>('PUT', at(`/notifications/${id}/snooze`), { minutes });
    updated(notification);
    const text = minutes === 0 ? 'You are reminded of this question again.' : 'No reminder of this question for now.';
    change({ notice: { kind: 'done', text } });
  } catch (error) {
    const what = minutes === 0 ? 'that you are reminded again' : 'that you are not reminded';
    addProblem(`The server did not take ${what}: ${messageOf(error)}`, id);
  }
}
