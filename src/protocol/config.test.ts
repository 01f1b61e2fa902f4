import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { agentNamesOf, ConfigFile, resolveConfig } from './config.js';

const resolve = (file: unknown) => resolveConfig(z.parse(ConfigFile, file), { project: 'shop' });
const isAllowed = (file: unknown): boolean => z.safeParse(ConfigFile, file).success;

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(resolve({})).toEqual({
      mode: 'local',
      project: 'shop',
      notify: [],
      prices: {},
      run: { isolation: 'none', max_cost: 0, max_tokens: 0 },
      agents: {},
      autonomy: {
        scopeChanges: 'requires_approval',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'automated',
      },
      human: { fallback_minutes: 5 },
      memory: { enabled: true, max_tokens: 20000, weights: { recency: 0.4, recall: 0.2, keywords: 0.4 } },
      github: { mention: [] },
      server: { port: 4820 },
      store: { url: '' },
      clarify: { retry_seconds: 30 },
    });
  });

  it('allows fractions of minutes and seconds, and no wait at all', () => {
    expect(resolve({ human: { fallback_minutes: 0.05 } }).human.fallback_minutes).toBe(0.05);
    expect(resolve({ clarify: { retry_seconds: 0 } }).clarify.retry_seconds).toBe(0);
    expect(isAllowed({ human: { fallback_minutes: -1 } })).toBe(false);
    expect(isAllowed({ clarify: { retry_seconds: 1e12 } })).toBe(false);
  });
});

describe('autonomy', () => {
  const levels = ['automated', 'notify_and_proceed', 'requires_approval'];
  it.each([
    ['scope_changes', 'scopeChanges'],
    ['architecture_decisions', 'architectureDecisions'],
    ['dependency_modifications', 'dependencyModifications'],
  ] as const)('%s is one of three levels [OQ-7/1] [OQ-7/2] [OQ-7/3]', (key, name) => {
    for (const level of levels) expect(resolve({ autonomy: { [key]: level } }).autonomy[name]).toBe(level);
    for (const wrong of ['full', 'ask', '', true]) expect(isAllowed({ autonomy: { [key]: wrong } })).toBe(false);
  });

  it.each([
    ['confirm_all', 'requires_approval', 'requires_approval', 'requires_approval'],
    ['major_only', 'requires_approval', 'requires_approval', 'automated'],
    ['full', 'automated', 'automated', 'automated'],
  ])(
    'level %s sets all three at once, and explicit keys beat it [OQ-7/9]',
    (level, scope, architecture, dependencies) => {
      expect(resolve({ autonomy: { level } }).autonomy).toEqual({
        scopeChanges: scope,
        architectureDecisions: architecture,
        dependencyModifications: dependencies,
      });
      expect(resolve({ autonomy: { level, scope_changes: 'notify_and_proceed' } }).autonomy).toEqual({
        scopeChanges: 'notify_and_proceed',
        architectureDecisions: architecture,
        dependencyModifications: dependencies,
      });
    },
  );
});

describe('agents', () => {
  it.each([
    { runner: 'command', command: ['node', 'a.mjs'], env: { DEBUG: '1' }, timeout_seconds: 0.5 },
    { runner: 'script', script: 'turns.toml' },
    { runner: 'human' },
    { runner: 'model', model: 'openai/gpt-5' },
    { runner: 'model', model: 'openai/gpt-5', base_url: 'http://127.0.0.1:11434/v1' },
    { runner: 'model', model: 'compatible/llama', base_url: 'http://127.0.0.1:11434/v1' },
    { runner: 'claude', model: 'opus' },
    { runner: 'copilot' },
  ])('may be %j', (agent) => {
    expect(resolve({ agents: { architect: agent } }).agents.architect).toEqual({ timeout_seconds: 600, ...agent });
  });

  it.each([
    {},
    { runner: 'magic' },
    { runner: 'command' },
    { runner: 'command', command: [] },
    { runner: 'command', command: 'node a.mjs' },
    { runner: 'command', command: ['node'], model: 'openai/gpt-5' },
    { runner: 'script' },
    { runner: 'human', script: 'x.toml' },
    { runner: 'model' },
    { runner: 'model', model: 'gpt-5' },
    { runner: 'model', model: 'compatible/llama' },
    { runner: 'model', model: 'openai/gpt-5', base_url: 'file:///etc/passwd' },
    { runner: 'command', command: ['node'], timeout_seconds: 0 },
    { runner: 'command', command: ['node'], timeout_seconds: 1e9 },
    { runner: 'command', command: ['node'], env: { DEBUG: 1 } },
  ])('may not be %j', (agent) => {
    expect(isAllowed({ agents: { architect: agent } })).toBe(false);
  });

  it('may be called by an alias, but not by both names', () => {
    expect(Object.keys(resolve({ agents: { pm: { runner: 'human' } } }).agents)).toEqual(['product-manager']);
    const both = { pm: { runner: 'human' }, 'product-manager': { runner: 'human' } };
    expect(isAllowed({ agents: both })).toBe(false);
    const { notify } = resolve({ notify: [{ channel: 'desktop', agents: ['pm'] }, { channel: 'desktop' }] });
    expect(notify.map(({ agents }) => agents)).toEqual([['product-manager'], undefined]);
  });

  it('may have any name that is no danger as a key', () => {
    expect(isAllowed({ agents: { poet: { runner: 'human' } } })).toBe(true);
    for (const name of ['constructor', 'prototype', 'The Poet', 'toString']) {
      expect(isAllowed({ agents: { [name]: { runner: 'human' } } })).toBe(false);
    }
    expect(isAllowed({ agents: JSON.parse('{"__proto__": {"runner": "human"}}') })).toBe(false);
  });

  it('are the known ones and those the user added: upstream first, then as the file lists them', () => {
    const human = { runner: 'human' };
    const names = agentNamesOf(resolve({ agents: { poet: human, engineer: human, tester: human } }));
    expect(names.slice(0, 7)).toEqual([
      ...['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'],
      ...['poet', 'tester'],
    ]);
    expect(names).toContain('coder');
    expect(new Set(names).size).toBe(names.length);
  });
});
