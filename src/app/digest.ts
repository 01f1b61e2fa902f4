import { digestMarkdown } from '../render/digest-markdown.js';
import { type DigestPorts, type DigestResult, digest } from '../report/digest.js';
import { writeDigest } from '../storage/files/digests.js';

export interface DigestRequest {
  /** `2026-W09`; by default the present week. */
  readonly week?: string;
}

export interface WrittenDigest extends DigestResult {
  readonly path: string;
}

/** Counts a week and writes `digests/DIGEST-YYYY-Wnn.md`. */
export async function writtenDigest(
  ports: DigestPorts & { readonly root: string },
  request: DigestRequest,
): Promise<WrittenDigest> {
  const result = await digest(ports, request);
  const path = writeDigest(ports.root, result.digest.week, digestMarkdown(result.digest));
  return { ...result, path };
}
