import { once } from 'node:events';
import { WebSocket } from 'ws';
import { median } from '../statistics.js';
import type { Contender } from './contender.js';
import { questionId } from './folder.js';

const CLIENTS = 1_000;
/** Keystrokes in quicker succession count as one. */
const PAUSE_MS = 60;

export interface FanOutMeasurement {
  readonly name: string;
  readonly clients: number;
  /** From the first client that got it to the last, in milliseconds. */
  readonly spread: number;
  /** From the change until the last client got it. */
  readonly latency: number;
  readonly kilobytesPerClient: number;
}

/** One event to every client. */
export async function measureFanOut(contender: Contender, rounds: number): Promise<FanOutMeasurement> {
  const before = await contender.memory();
  const crowd = await gather(contender);
  const after = await contender.memory();
  const spreads: number[] = [];
  const latencies: number[] = [];
  for (let round = 0; round <= rounds * 2; round++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const messages = crowd.hear();
    const began = await contender.tell(questionId(round));
    const { first, last } = await messages;
    if (round === 0) continue;
    spreads.push(last - first);
    latencies.push(last - began);
  }
  crowd.leave();
  const kilobytesPerClient = (after - before) / 1024 / CLIENTS;
  return {
    name: contender.name,
    clients: CLIENTS,
    spread: median(spreads),
    latency: median(latencies),
    kilobytesPerClient,
  };
}

async function gather({ socketUrl, headers }: Contender) {
  const sockets: WebSocket[] = [];
  let onUpdate = () => {};
  while (sockets.length < CLIENTS) {
    const some = Array.from({ length: 50 }, () => new WebSocket(socketUrl, { headers: { ...headers } }));
    for (const socket of some) {
      socket.on('message', (data: Buffer) => {
        if (data.includes('notification.updated')) onUpdate();
      });
    }
    await Promise.all(some.map((socket) => once(socket, 'open')));
    sockets.push(...some);
  }
  return {
    hear: () =>
      new Promise<{ first: number; last: number }>((resolve) => {
        let count = 0;
        let first = 0;
        onUpdate = () => {
          const at = performance.timeOrigin + performance.now();
          if (count++ === 0) first = at;
          if (count === CLIENTS) resolve({ first, last: at });
        };
      }),
    leave: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}
