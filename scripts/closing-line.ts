import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that any tool can read: `N passed, N failed, N skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    let brokenFiles = 0;
    for (const module of modules) {
      if (module.errors().length > 0) brokenFiles++;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    const failedCount = count.failed + count.pending + brokenFiles;
    console.log(`\n${count.passed} passed, ${failedCount} failed, ${count.skipped} skipped`);
  }
}
