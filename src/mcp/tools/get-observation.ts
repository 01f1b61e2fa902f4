import * as z from 'zod/mini';
import { UNPAINTED } from '../../render/conversation.js';
import { renderObservation } from '../../render/memory.js';
import { READS, tool } from '../tool.js';

export const getObservation = tool({
  name: 'get_observation',
  title: 'Read an observation in full',
  description: 'Read one observation of recall_memory in full, with where it comes from.',
  annotations: READS,
  input: z.strictObject({ id: z.string().check(z.describe('Its id, such as obs-engineer-42-1772100000000-a1b2c3.')) }),
  async call({ id: typedId }, { app }) {
    const observation = await (await app.memory()).show(await app.findId('observation', typedId));
    const view = { width: 100, paint: UNPAINTED, now: app.clock.now(), isRelative: false };
    return { text: renderObservation(observation, view), data: { observation } };
  },
});
