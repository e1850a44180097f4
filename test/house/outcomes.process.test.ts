// On the machine that checks everything, a test that is skipped fails, and one that fails is tried again and named.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesMatching, root } from './sources.ts';

const config = 'test/house/outcomes/vitest.config.ts';

/** What is set for this run must not reach the one within it. */
function ownEnvironment() {
  const isOwn = ([name]: [string, unknown]) =>
    !/^(VITEST|NO_SKIPS|FAILURES|AGAIN|TEST$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOwn));
}

function runFixture(fixture: string, more: Readonly<Record<string, string>>) {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  return spawnSync(process.execPath, [program, 'run', '--config', config], {
    cwd: root,
    env: { ...ownEnvironment(), ...more, FIXTURE: fixture, NO_COLOR: '1' },
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

/** What `.ci/run` says of a run at its end, and how many tests it counts as passed and failed. */
function counted(fixture: string) {
  const script = `. .ci/counting.sh; counted Fixture "$0" node_modules/vitest/vitest.mjs run --config ${config}
    echo '== Done'; cat "$notable"; echo "$passed passed, $failed failed"`;
  const { stdout } = spawnSync('bash', ['-c', script, process.execPath], {
    cwd: root,
    env: { ...ownEnvironment(), NO_SKIPS: '1', FIXTURE: fixture, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  const end = stdout.slice(stdout.lastIndexOf('== Done'));
  return { end, isRunAgain: stdout.includes('once more'), counts: end.trim().split('\n').at(-1) };
}

const secondTry = 'Passed at the second try: test/house/outcomes/';

test('a file in which a test fails is run once more: what passes then is named, what fails twice fails', () => {
  const failing = counted('failing');
  expect(failing.counts).toBe('1 passed, 1 failed');
  expect(failing.end.match(/^Passed at .*/gm)).toEqual([
    `${secondTry}failing.ts > fails the first time: expected undefined to be defined`,
  ]);
  expect(failing.end).toContain('== Fixture: 1 failed');
  expect(failing.end).toContain('failing.ts > fails each time');
});

test('what a test leaves behind, and a hook that fails, are tried again as well', () => {
  const unsettled = counted('unsettled');
  expect(unsettled.counts).toBe('1 passed, 0 failed');
  expect(unsettled.end).toContain(`${secondTry}unsettled.ts > after a test: nobody hears`);
  const hooked = counted('hooked');
  expect(hooked.counts).toBe('1 passed, 0 failed');
  expect(hooked.end).toContain(`${secondTry}hooked.ts > around the tests: expected undefined`);
});

test('a skipped test counts as failed, and is not saved by a second try', () => {
  const skipping = counted('skipping');
  expect(skipping).toMatchObject({ counts: '1 passed, 1 failed', isRunAgain: true });
  expect(skipping.end).not.toContain(secondTry);
});

test('without a file to note failures in, everything is tried once', () => {
  const usual = runFixture('failing', {});
  expect(usual.stdout).toMatch(/Tests +2 failed/);
});

test('.ci/run sets NO_SKIPS for every run of tests, and gives up where a package is missing', () => {
  const scripts = filesMatching(/^\.ci\/(run|nightly)$/).map(({ text }) => text);
  expect(scripts).toHaveLength(2);
  for (const text of scripts) expect(text).toMatch(/^\. \.ci\/machine\.sh$/m);
  const [machine] = filesMatching(/^\.ci\/machine\.sh$/);
  expect(machine?.text).toMatch(/^export .*\bNO_SKIPS=1\b/m);
  expect(machine?.text).toMatch(/\bneed install_packages "/);
});
