// What CI makes of a run that fails once: tests may be tried again, gates may not.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gateOf } from '../../gates/gates.ts';
import { filesMatching, root } from './sources.ts';

/** A run that fails, says which file it was, and would pass when it is tried again. */
const onlyOnce = `#!/usr/bin/env bash
if [ -n "\${AGAIN:-}" ]; then
  echo '      Tests  1 passed (1)'
  exit 0
fi
printf 'test/some.test.ts\\tit holds\\tsomething was lost\\n' >>"$FAILURES"
echo '      Tests  1 failed | 4 passed (5)'
exit 1
`;

/** What is counted of that run, and what is said of it at the end. */
function countedBy(way: 'counted' | 'counted_once'): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-counting-'));
  const program = join(folder, 'only-once');
  try {
    writeFileSync(program, onlyOnce);
    chmodSync(program, 0o755);
    const script = `. .ci/counting.sh; ${way} Some "$1" >/dev/null; cat "$notable"; echo "$passed passed, $failed failed"`;
    const options = { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
    return execFileSync('bash', ['-c', script, 'bash', program], options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a test that passes at the second try is named, and counts as passed', () => {
  const said = countedBy('counted');
  expect(said).toContain('Passed at the second try: test/some.test.ts > it holds');
  expect(said).toContain('5 passed, 0 failed');
});

test('a gate that lost something once has failed', () => {
  const said = countedBy('counted_once');
  expect(said).not.toContain('second try');
  expect(said).toContain('4 passed, 1 failed');
});

test('each step is timed, in a table at the end', () => {
  const script = `. .ci/counting.sh; counted 'One thing' true; counted 'Another' true; report`;
  const options = { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
  const said = execFileSync('bash', ['-c', script], options);
  expect(said).toMatch(
    /Time by step\n +\d+ s {2}One thing\n +\d+ s {2}Another\n +\d+ s {2}all\n2 passed, 0 failed\n$/,
  );
});

test.each(['run', 'nightly'])('all gates and benches of .ci/%s are tried once', (name) => {
  const text = readFileSync(join(root, '.ci', name), 'utf8').replaceAll('\\\n', '');
  const steps = text.split('\n').filter((step) => /npm run ((test:)?gates|bench)/.test(step));
  expect(steps.length).toBeGreaterThan(1);
  for (const step of steps) expect(step).toMatch(/^ *counted_once /);
});

test('a push runs files and gates that there are, and the night all of them', () => {
  const text = readFileSync(join(root, '.ci/run'), 'utf8')
    .replaceAll('\\\n', '')
    .replace(' --project browser', '\nnpm run test:browser --');
  const namesOf = (command: string) =>
    new RegExp(`npm run ${command} -- ([^\\n]*)`).exec(text)?.[1]?.match(/(?<![\w-])[a-z]\S*/g) ??
    [];
  const commands = { process: 'test:processes', browser: 'test:browser', gate: 'test:gates' };
  for (const [kind, command] of Object.entries(commands)) {
    const files = filesMatching(new RegExp(`^test/.*\\.${kind}\\.test\\.ts$`)).map(
      ({ path }) => path,
    );
    const names = namesOf(command);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !files.some((path) => path.includes(name)))).toEqual([]);
  }
  const quick = namesOf('gates');
  expect(quick.length).toBeGreaterThan(2);
  expect(quick.filter((name) => !gateOf(name))).toEqual([]);
});
