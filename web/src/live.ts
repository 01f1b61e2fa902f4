import type { FeedMessage, SocketMessage } from '../../src/protocol/feed.js';

export interface LiveOptions {
  readonly onMessage: (message: FeedMessage) => void;
  /** Everything must be read anew: at the start, and when too much was missed. */
  readonly onResync: () => void;
  /** Resolves whether requests get through as well. */
  readonly onOpen: () => Promise<boolean>;
  readonly onLost: () => void;
  /** No hello came: the server does not know us any more, or a proxy in between lets only requests through. */
  readonly onRefused: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A proxy may neither let a connection through nor refuse it. */
const GREETING_MS = 10_000;

let distrustNow = () => {};

/**
 * A request failed on its way. A connection may look open for minutes after the network is gone. So the page gives the
 * connection up, and a new one shows whether the server can be reached.
 */
export function distrust(): void {
  distrustNow();
}

/** Stays connected, and asks for missed messages whenever it comes back. */
export function connect({ onMessage, onResync, onOpen, onLost, onRefused }: LiveOptions): void {
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
      if (isGreeted) onLost();
      else onRefused();
      setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    };
    setTimeout(() => {
      if (isGreeted) return;
      lose();
      socket.close();
    }, GREETING_MS);
    socket.addEventListener('message', ({ data }) => {
      if (current !== socket) return;
      const message: SocketMessage = JSON.parse(String(data));
      if (message.type === 'hello') {
        isGreeted = true;
        distrustNow = () => {
          lose();
          socket.close();
        };
        hello = { seq: message.seq, epoch: message.epoch };
        void onOpen().then((isReached) => {
          if (isReached) wait = FIRST_WAIT_MS;
        });
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
