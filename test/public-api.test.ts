import { describe, expect, it } from 'vitest';
import * as agentx from '../src/index.js';

describe('what the package exports', () => {
  it('is enough to remember a session and to recall it in the next one [ME-5/1] [ME-12/5] [ME-12/6]', async () => {
    let made = 0;
    const random = () => (made++).toString(36).padStart(6, '0');
    const now = () => '2026-02-26T10:00:00.000Z';
    const extractor = new agentx.ObservationExtractor({ now, random });
    const [observation] = extractor.extractObservations('## Decisions\n\n- Use Kafka 3.7.\n', 'engineer', 42, 's-1');
    expect(observation).toMatchObject({ category: 'decision', content: 'Use Kafka 3.7.', sessionId: 's-1' });

    const store = agentx.openInMemoryStore();
    const bus = agentx.createEventBus();
    const silent = () => {};
    const pipeline = new agentx.MemoryPipeline({
      store,
      bus,
      clock: { now, sleep: async () => {} },
      log: { debug: silent, info: silent, warn: silent, error: silent },
      tokenizer: { name: 'quarter', count: async (text) => Math.ceil(text.length / 4) },
      settings: { enabled: true, maxTokens: 20_000 },
      random,
    });
    const stop = pipeline.startCapture();
    const figures = { originalTokens: 400, compactedTokens: 10, timestamp: 1 };
    const session = {
      agent: 'engineer',
      issueNumber: 42,
      sessionId: 's-1',
      summary: '## Decisions\n\n- Use Kafka 3.7.',
    };
    bus.emit('context-compacted', { ...session, ...figures });
    await pipeline.idle();
    stop();
    expect(await pipeline.injectMemory('engineer', 42)).toMatch(/^## Memory Recall\n[\s\S]*Use Kafka 3\.7\./);
    const results = await pipeline.searchMemory('kafka');
    expect(results).toEqual(await store.observations.search('kafka'));
    expect(await pipeline.getObservation(results[0]?.id ?? '')).toEqual(
      await store.observations.getById(results[0]?.id ?? ''),
    );
    expect(new agentx.RelevanceScorer().score(results, { nowMs: 0 })).toHaveLength(1);
    expect(new agentx.MemoryInjector(1).formatRecallSection([])).toBe('');
    pipeline.dispose();
  });
});
