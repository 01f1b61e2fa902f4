/** Wakes one sleeper: a ring while there is none wakes the next sleeper at once. */
export class WakeUp {
  #wake: (() => void) | undefined;
  #hasRung = false;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async heard(): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#wake = undefined;
    this.#hasRung = false;
  }
}
