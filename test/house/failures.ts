// Writes which tests failed or were skipped, and why, where FAILURES names a file: `.ci/run` then runs their files once more by
// themselves, since its machine may do other work, and names what passed then.

import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { root } from './sources.ts';

/** A reporter for vitest.config.ts. It appends a line for each of them: file, name and reason, with tabs between. */
export class Failures implements Reporter {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const test of module.children.allTests('failed')) {
        this.#note(file, test.fullName, test.result().errors?.[0]?.message);
      }
      // Where a hook failed the tests behind it are skipped as well.
      for (const test of module.children.allTests('skipped')) {
        this.#note(file, test.fullName, 'It was skipped.');
      }
      for (const part of [module, ...module.children.allSuites()]) {
        for (const error of part.errors()) this.#note(file, 'around the tests', error.message);
      }
    }
    for (const error of unhandled) {
      const file = error.VITEST_TEST_PATH;
      if (typeof file === 'string') this.#note(relative(root, file), 'after a test', error.message);
    }
  }

  #note(file: string, name: string, reason = ''): void {
    const parts = [file, name, reason.split('\n')[0] ?? ''];
    appendFileSync(this.#path, `${parts.map((part) => part.replaceAll('\t', ' ')).join('\t')}\n`);
  }
}
