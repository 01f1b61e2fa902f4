import { Transform, type TransformCallback } from 'node:stream';

const NEWLINE = 10;

/**
 * Passes on whole lines, and drops those that are too long: the SDK would end the connection, and a client does not
 * start us again. What is left of an unfinished line at the end of the input is no message.
 */
export class Lines extends Transform {
  readonly #held: Buffer[] = [];
  #size = 0;
  #isTooLong = false;

  constructor(
    private readonly maxBytes: number,
    private readonly onTooLong: () => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end + 1));
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    done();
  }

  #hold(part: Buffer): void {
    this.#size += part.length;
    this.#isTooLong ||= this.#size > this.maxBytes;
    if (this.#isTooLong) this.#held.length = 0;
    else this.#held.push(part);
  }

  #endLine(): void {
    if (this.#isTooLong) this.onTooLong();
    else this.push(Buffer.concat(this.#held));
    this.#held.length = 0;
    this.#size = 0;
    this.#isTooLong = false;
  }
}
