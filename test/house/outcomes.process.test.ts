// On the machine that checks everything, a test that is skipped fails, and one that fails is tried again and named.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesMatching, root } from './sources.ts';

function runFixture(fixture: string, more: Readonly<Record<string, string>>) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NO_SKIPS|SECOND_TRY|TEST$)/.test(name),
  );
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const config = 'test/house/outcomes/vitest.config.ts';
  return spawnSync(process.execPath, [program, 'run', '--config', config], {
    cwd: root,
    env: { ...Object.fromEntries(own), ...more, FIXTURE: fixture, NO_COLOR: '1' },
    encoding: 'utf8',
  });
}

test('a skipped test is named and fails the run with NO_SKIPS=1, and only then', () => {
  const strict = runFixture('skipping', { NO_SKIPS: '1' });
  expect(strict.stdout).toMatch(/Tests +1 passed \| 1 skipped/);
  expect(strict.stderr).toContain(
    'test/house/outcomes/skipping.ts > is left out (No server is installed here.)',
  );
  expect(strict.status).toBe(1);
  const usual = runFixture('skipping', {});
  expect([usual.status, usual.stderr]).toEqual([0, '']);
});

test('with SECOND_TRY=1 a test that fails once is named and passes, and one that fails twice fails', () => {
  const tried = runFixture('failing', { SECOND_TRY: '1' });
  expect(tried.stdout).toMatch(/Tests +1 failed \| 1 passed/);
  expect(tried.stderr.match(/^Passed at the second try: .*/gm)).toEqual([
    'Passed at the second try: test/house/outcomes/failing.ts > fails the first time: expected 1 to be 2 // Object.is equality',
  ]);
  const usual = runFixture('failing', {});
  expect(usual.stdout).toMatch(/Tests +2 failed/);
  expect(usual.stderr).not.toContain('second try');
});

test('.ci/run sets both for every run of tests, and counts the skipped among the failed', () => {
  const [script] = filesMatching(/^\.ci\/run$/);
  expect(script?.text).toMatch(/^export .*\bNO_SKIPS=1\b/m);
  expect(script?.text).toMatch(/^export .*\bSECOND_TRY=1\b/m);
  expect(script?.text).toContain('bad=$((bad + skipped))');
  expect(script?.text).not.toMatch(/install_package [\w-]+ \|\|/);
});
