import type { ChoiceBody, NotificationBody } from '../../src/protocol/rest.js';
import { hereByAddress } from './address.js';
import { request } from './api.js';
import { draftFor, edit } from './drafts.js';
import { bring } from './list.js';
import { at, current } from './state.js';

/** The link of a message chose an option: it is shown as chosen, and nothing is sent. */
export async function takeChoice(): Promise<void> {
  const choice = /^#choose=([\w.-]+)$/.exec(location.hash)?.[1];
  const { view, id } = hereByAddress();
  if (choice === undefined || view !== 'inbox' || id === undefined || current().phase === 'locked') return;
  // It works once: a reload, or a copied address, is without it.
  history.replaceState(null, '', location.pathname);
  const { part, optionId } = await request<ChoiceBody>('POST', at(`/notifications/${id}/choice`), { choice });
  const { notification } = await request<NotificationBody>('GET', at(`/notifications/${id}`));
  bring(notification);
  const { text = '' } = draftFor(current(), id)[part] ?? {};
  if (notification.status === 'open') edit(notification, part, { text, optionIds: [optionId] });
}
