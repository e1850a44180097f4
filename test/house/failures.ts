// Writes which tests failed or were skipped, and why, where FAILURES names a file: a line for each, with tabs between.
// `.ci/run` then runs their files once more by themselves, since its machine may do other work, and names what passed
// then.

import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { root } from './sources.ts';

/** The files that failed before and are wanted again, where AGAIN names what was written of them; else undefined. */
export function failedBefore(): string[] | undefined {
  if (!process.env.AGAIN) return undefined;
  const lines = readFileSync(process.env.AGAIN, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => line.split('\t')[0] ?? '');
}

/** Note where FAILURES says to that something failed: the file, what of it, and why. */
function noteFailure(what: string, part: string, reason = ''): void {
  if (!process.env.FAILURES) return;
  const parts = [what, part, reason.split('\n')[0] ?? ''];
  const line = parts.map((text) => text.replaceAll('\t', ' ')).join('\t');
  appendFileSync(process.env.FAILURES, `${line}\n`);
}

/** A reporter for vitest.config.ts. */
export class Failures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const test of module.children.allTests('failed')) {
        noteFailure(file, test.fullName, test.result().errors?.[0]?.message);
      }
      // Where a hook failed the tests behind it are skipped as well.
      for (const test of module.children.allTests('skipped')) {
        noteFailure(file, test.fullName, 'It was skipped.');
      }
      for (const part of [module, ...module.children.allSuites()]) {
        for (const error of part.errors()) noteFailure(file, 'around the tests', error.message);
      }
    }
    for (const error of unhandled) {
      const file = error.VITEST_TEST_PATH;
      if (typeof file === 'string')
        noteFailure(relative(root, file), 'after a test', error.message);
    }
  }
}
