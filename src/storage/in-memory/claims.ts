import type { Claim, Store } from '../../ports/store.js';
import { type ClaimHolder, type ClaimOn, claimRefused, claimReleased, parseClaimOn } from '../../protocol/claim.js';
import { orAborted } from '../../protocol/or-aborted.js';

interface HeldClaim {
  readonly on: ClaimOn;
  readonly holder: ClaimHolder;
  readonly token: string;
  readonly ended: Promise<void>;
}

/** Claims within one process. */
export class Claims implements Pick<Store, 'claim' | 'heldBy'> {
  readonly #held = new Map<string, HeldClaim>();
  #given = 0;

  async claim(on: ClaimOn, { by = 'agentx', waitMs, signal }: Parameters<Store['claim']>[1] = {}): Promise<Claim> {
    const key = keyOf(on);
    signal?.throwIfAborted();
    for (let heldClaim = this.#held.get(key); heldClaim !== undefined; heldClaim = this.#held.get(key)) {
      if (waitMs === undefined) throw claimRefused(on, heldClaim.holder);
      await orAborted(heldClaim.ended, signal);
    }
    const token = `${key} ${++this.#given}`;
    const holder = { by, pid: process.pid, host: 'this process', since: new Date().toISOString() };
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#held.set(key, { on, holder, token, ended });
    const release = async () => {
      if (this.#held.get(key)?.token === token) this.#held.delete(key);
      end();
    };
    return { token, lost: new AbortController().signal, release };
  }

  async heldBy(on: ClaimOn): Promise<'live' | 'none'> {
    return this.isLive(on) ? 'live' : 'none';
  }

  isLive(on: ClaimOn): boolean {
    return this.#held.has(keyOf(on));
  }

  /** For a write: throws CONFLICT if the claim is not current any more. */
  require(claim: Claim | undefined): void {
    if (claim === undefined) return;
    const isHeld = [...this.#held.values()].some(({ token }) => token === claim.token);
    if (!isHeld) throw claimReleased(claim);
  }
}

function keyOf(on: ClaimOn): string {
  return JSON.stringify(parseClaimOn(on));
}
