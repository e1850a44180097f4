// Makes a skipped test count as one that failed, where NO_SKIPS=1 is set: in `.ci/run`, which installs what
// all of them need. A server that could not be started must not turn half of the tests green.

import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** A reporter for vitest.config.ts. It names each test that was skipped, and why where that is said. */
export class NoSkips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    process.exitCode = 1;
    console.error(`\n${skipped.length} skipped, where nothing may be:`);
    for (const test of skipped) console.error(`  ${named(test)}`);
  }
}

function named(test: TestCase): string {
  const result = test.result();
  const reason = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
  return `${test.module.relativeModuleId} > ${test.fullName}${reason}`;
}
