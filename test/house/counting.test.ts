// What CI makes of a run that fails once: tests may be tried again, gates may not.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

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

test('all that are gates are tried once', () => {
  const steps = readFileSync(join(root, '.ci/run'), 'utf8').split('\n');
  const gates = steps.filter((step) => /npm run (test:)?gates/.test(step));
  expect(gates.length).toBe(2);
  for (const step of gates) expect(step).toMatch(/^counted_once /);
});
