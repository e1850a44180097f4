// The package of the command line, as npm would install it: one small file that needs nothing else.

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../house/sources.ts';

const run = promisify(execFile);
/** What is downloaded stays small: it was 91,000 bytes. */
const largest = 150_000;

test('it holds one program, its licence and its page, and runs without packages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-package-'));
  const at = join(folder, 'cli');
  await run(process.execPath, [join(root, 'scripts/cli-package.mjs'), at], { cwd: folder });
  const [tarball = ''] = (await readdir(at)).filter((name) => name.endsWith('.tgz'));
  expect(tarball).toMatch(/^headwater-\d+\.\d+\.\d+.*\.tgz$/);
  expect((await readFile(join(at, tarball))).length).toBeLessThan(largest);
  await run('tar', ['xzf', join(at, tarball), '-C', folder]);
  const installed = join(folder, 'package');
  expect((await readdir(installed)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'headwater.mjs',
    'package.json',
  ]);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'headwater', bin: { headwater: 'headwater.mjs' } });
  expect(Object.keys(manifest)).not.toContain('dependencies');
  const { stdout } = await run(process.execPath, [join(installed, 'headwater.mjs'), '--help']);
  expect(stdout).toContain('Usage: headwater');
  await rm(folder, { recursive: true });
});
