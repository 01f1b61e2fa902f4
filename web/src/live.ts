import type { FeedMessage, SocketMessage } from '../../src/protocol/feed.js';

export interface LiveOptions {
  readonly onMessage: (message: FeedMessage) => void;
  /** Everything must be read anew: at the start, and when too much was missed. */
  readonly onResync: () => void;
  readonly onOnline: (isOnline: boolean) => void;
  /** The server hung up before it said hello: perhaps it does not know us any more. */
  readonly onRefused: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

let distrustNow = () => {};

/**
 * A request failed on its way. A connection may look open for minutes after the network is gone. So the page gives the
 * connection up, and a new one shows whether the server can be reached.
 */
export function distrust(): void {
  distrustNow();
}

/** Stays connected, and asks for missed messages whenever it comes back. */
export function connect({ onMessage, onResync, onOnline, onRefused }: LiveOptions): void {
  let last: { readonly seq: number; readonly epoch: string } | undefined;
  let hello = last;
  let wait = FIRST_WAIT_MS;
  let current: WebSocket | undefined;

  const readAnew = () => {
    last = hello;
    onResync();
  };
  const open = () => {
    const query = last === undefined ? '' : `?since=${last.seq}&epoch=${last.epoch}`;
    const socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/ws${query}`);
    let isGreeted = false;
    current = socket;
    const lose = () => {
      if (current !== socket) return;
      current = undefined;
      distrustNow = () => {};
      onOnline(false);
      if (!isGreeted) onRefused();
      setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    };
    socket.addEventListener('message', ({ data }) => {
      if (current !== socket) return;
      const message: SocketMessage = JSON.parse(String(data));
      if (message.type === 'hello') {
        isGreeted = true;
        wait = FIRST_WAIT_MS;
        distrustNow = () => {
          lose();
          socket.close();
        };
        hello = { seq: message.seq, epoch: message.epoch };
        onOnline(true);
        // A known epoch continues at our number: the missed messages follow.
        if (last?.epoch !== hello.epoch) readAnew();
        return;
      }
      if (message.type === 'resync') return readAnew();
      if (last !== undefined) last = { ...last, seq: message.seq };
      onMessage(message);
    });
    socket.addEventListener('close', lose);
  };
  open();
}
