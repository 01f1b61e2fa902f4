import type { ChoiceBody, NotificationBody } from '../../src/protocol/rest.js';
import { hereByAddress } from './address.js';
import { isLocked, Offline, request } from './api.js';
import { draftFor, edit } from './drafts.js';
import { bring } from './list.js';
import { at, current } from './state.js';

interface Choice {
  readonly id: string;
  readonly choice: string;
}

/** What a link chose, until the server has accepted or refused it. */
let unheardChoice: Choice | undefined;

/** The link of a message chose an option: it is shown as chosen, and nothing is sent. */
export async function takeChoice(): Promise<void> {
  if (current().phase === 'locked') return;
  const { id, choice } = choiceInAddress() ?? unheardChoice ?? {};
  if (id === undefined || choice === undefined) return;
  // It works once: a reload, or a copied address, is without it.
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  unheardChoice = { id, choice };
  try {
    await take(unheardChoice);
    unheardChoice = undefined;
  } catch (error) {
    if (!(error instanceof Offline) && !isLocked(error)) unheardChoice = undefined;
    throw error;
  }
}

async function take({ id, choice }: Choice): Promise<void> {
  // The id comes from an address, which any page may have linked to.
  const path = at(`/notifications/${encodeURIComponent(id)}`);
  const { part, optionId } = await request<ChoiceBody>('POST', `${path}/choice`, { choice });
  const { notification } = await request<NotificationBody>('GET', path);
  bring(notification);
  const { text = '' } = draftFor(current(), id)[part] ?? {};
  if (notification.status === 'open') edit(notification, part, { text, optionIds: [optionId] });
}

function choiceInAddress(): Choice | undefined {
  const choice = CHOICE.exec(location.hash)?.[1];
  const { view, id } = hereByAddress();
  return choice === undefined || view !== 'inbox' || id === undefined ? undefined : { id, choice };
}

const CHOICE = /^#choose=([\w.-]+)$/;
