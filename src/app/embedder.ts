import type { Embedder } from '../ports/embedder.js';
import type { Config } from '../protocol/config.js';

const LONGEST_WAIT_MS = 10_000;
const MOST_KEPT = 20_000;

/**
 * An OpenAI-compatible endpoint, such as that of Ollama, vLLM or LM Studio. The address of a configuration leads to this
 * machine only: a cloned repository must not send notes elsewhere. Another address, and a key, come from the environment
 * of the user. Undefined if none is configured.
 */
export function openEmbedder(
  settings: Config['memory']['embedder'],
  env: Readonly<Record<string, string | undefined>>,
): Embedder | undefined {
  if (settings === undefined) return undefined;
  const { model } = settings;
  const url = `${(env.AGENTX_EMBEDDER_URL ?? settings.base_url).replace(/\/+$/, '')}/embeddings`;
  const key = env.AGENTX_EMBEDDER_KEY;
  const vectorOf = new Map<string, readonly number[]>();
  return {
    async embed(texts) {
      const missingTexts = [...new Set(texts.filter((text) => !vectorOf.has(text)))];
      if (vectorOf.size + missingTexts.length > MOST_KEPT) vectorOf.clear();
      const wantedTexts = vectorOf.size === 0 ? [...new Set(texts)] : missingTexts;
      const vectors = wantedTexts.length === 0 ? [] : await ask(url, key, { model, input: wantedTexts });
      for (const [place, text] of wantedTexts.entries()) vectorOf.set(text, vectors[place] ?? []);
      return texts.map((text) => vectorOf.get(text) ?? []);
    },
  };
}

async function ask(url: string, key: string | undefined, body: object): Promise<readonly (readonly number[])[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
  if (!response.ok) throw new Error(`The embedder answered ${response.status}.`);
  const { data } = Object(await response.json());
  if (!Array.isArray(data) || !data.every((one) => Array.isArray(Object(one).embedding)))
    throw new Error('The embedder answered with no vectors.');
  return data.toSorted((left, right) => (left.index ?? 0) - (right.index ?? 0)).map(({ embedding }) => embedding);
}
