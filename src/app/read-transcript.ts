import { open } from 'node:fs/promises';

/** No session is worth reading further back. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The text of the file that a session left behind; of a very long one, its end. What is no UTF-8 is replaced. */
export async function readTranscriptFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MOST_BYTES);
    const buffer = Buffer.alloc(size - start);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const text = buffer.toString('utf8', 0, length);
    // The first line of an end is rarely a whole one.
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
