import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What is polled for comes at some time; how soon is no test's business. */
const expectations = { poll: { timeout: 180_000 } };

/** What a test leaves behind is removed at some time, too. */
const hookTimeout = 300_000;

/*
 * No test mocks a module, so files may share what they import (`isolate: false`): loading it is much of the time.
 */

/** Most tests wait for a process that they started: more of them than cores keep the cores busy. */
const workers = availableParallelism() + 1;

/**
 * Three speeds: unit is for every save and takes seconds; slow, contracts and properties start processes, wait for clocks,
 * or try many inputs; faults kill real processes.
 */
export default defineConfig({
  test: {
    teardownTimeout: 120_000,
    reporters: ['default', './scripts/closing-line.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'extension/src/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
          expect: expectations,
          testTimeout: 180_000,
          hookTimeout,
          isolate: false,
          maxWorkers: workers,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['src/**/*.slow.test.ts', 'test/*.slow.test.ts'],
          expect: expectations,
          testTimeout: 600_000,
          hookTimeout,
          isolate: false,
          maxWorkers: workers,
        },
      },
      {
        test: {
          name: 'contracts',
          include: ['test/contracts/**/*.test.ts'],
          // Their stores are used by two processes.
          globalSetup: ['test/faults/bundle-children.ts'],
          testTimeout: 600_000,
          hookTimeout,
          isolate: false,
          maxWorkers: workers,
        },
      },
      {
        test: {
          name: 'properties',
          include: ['test/properties/**/*.test.ts'],
          testTimeout: 1_200_000,
          hookTimeout,
          maxWorkers: workers,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/faults/bundle-children.ts'],
          expect: expectations,
          testTimeout: 600_000,
          hookTimeout,
          maxWorkers: workers,
          // After the others: it wants the machine for itself.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          expect: expectations,
          testTimeout: 600_000,
          hookTimeout,
          // Files share what they import, and a process that carries out commands.
          isolate: false,
          maxWorkers: workers,
        },
      },
      // Hundreds of megabytes from npm: only where they are asked for, with npm run test:agents.
      ...(process.env.AGENTX_REAL_AGENTS === '1'
        ? [{ test: { name: 'agents', include: ['test/agents/**/*.test.ts'], maxWorkers: 1 } }]
        : []),
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/launch-browser.ts'],
          isolate: false,
          testTimeout: 600_000,
          hookTimeout,
          // Whoever decides something on the page has five seconds to think it over: mostly these tests wait.
          maxWorkers: 2 * availableParallelism(),
          // A browser beside other heavy tests makes both slow.
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'editor',
          include: ['test/editor/**/*.test.ts'],
          globalSetup: ['test/editor/set-up.ts'],
          isolate: false,
          expect: { poll: { timeout: 180_000 } },
          testTimeout: 900_000,
          hookTimeout,
          // A window is a page, an extension host and a server's half of both: two at a time fill two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['text', 'html'],
      thresholds: { lines: 80 },
    },
  },
});
