// A test that is skipped fails where nothing may be: on the machine that checks everything.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesMatching, root } from './sources.ts';

function runFixture(more: Readonly<Record<string, string>>) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NO_SKIPS|TEST$)/.test(name),
  );
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const config = 'test/house/skipping/vitest.config.ts';
  return spawnSync(process.execPath, [program, 'run', '--config', config], {
    cwd: root,
    env: { ...Object.fromEntries(own), ...more, NO_COLOR: '1' },
    encoding: 'utf8',
  });
}

test('a skipped test is named and fails the run with NO_SKIPS=1, and only then', () => {
  const strict = runFixture({ NO_SKIPS: '1' });
  expect(strict.stdout).toMatch(/Tests +1 passed \| 1 skipped/);
  expect(strict.stderr).toContain(
    'test/house/skipping/fixture.ts > is left out (No server is installed here.)',
  );
  expect(strict.status).toBe(1);
  const usual = runFixture({});
  expect([usual.status, usual.stderr]).toEqual([0, '']);
});

test('.ci/run sets it for every run of tests, and counts the skipped among the failed', () => {
  const [script] = filesMatching(/^\.ci\/run$/);
  expect(script?.text).toMatch(/^export .*\bNO_SKIPS=1\b/m);
  expect(script?.text).toContain('bad=$((bad + skipped))');
  expect(script?.text).not.toMatch(/install_package [\w-]+ \|\|/);
});
