/** Wakes one sleeper: a ring that comes while nobody sleeps is heard at once by the next who wants to. */
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
