import { createHmac } from 'node:crypto';
import { CLOUD_EVENT_TYPE, cloudEventOf } from './cloud-event.js';
import { post } from './http-post.js';
import type { Send } from './sender.js';

/** A CloudEvent; with a secret, its HMAC-SHA256 in hexadecimal proves that we sent it. */
export const sendWebhook: Send = (letter, channel) => {
  const body = JSON.stringify(cloudEventOf(letter));
  const { secret } = channel;
  const signature =
    secret === undefined ? {} : { 'x-agentx-signature': createHmac('sha256', secret).update(body).digest('hex') };
  return post(channel, { body, headers: { 'content-type': CLOUD_EVENT_TYPE, ...signature } });
};
