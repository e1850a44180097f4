// Names the tests that failed and passed when they were tried again, where SECOND_TRY=1 is set: in `.ci/run`, whose
// machine may do other work. One that fails twice fails. What is named here is a defect of the test or of the
// program, to be mended.

import type { Reporter, TestModule } from 'vitest/node';

/** What each line begins with; `.ci/run` looks for it. */
const mark = 'Passed at the second try:';

/** A reporter for vitest.config.ts, with `retry: 1`. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        if (!test.diagnostic()?.flaky) continue;
        const reason = test.result().errors?.[0]?.message.split('\n')[0] ?? '';
        console.error(`${mark} ${module.relativeModuleId} > ${test.fullName}: ${reason}`);
      }
    }
  }
}
