// What V8 compiled at one start, and whether the next one may use it.

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const loader = pathToFileURL(
  fileURLToPath(new URL('../../scripts/program.mjs', import.meta.url)),
).href;

/** A folder with a program of one file that prints a word. */
function openProgram() {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-program-'));
  const file = join(folder, 'main.cjs');
  return {
    write(word: string, settled = 'Promise.resolve()') {
      writeFileSync(file, `exports.settled = ${settled};\nconsole.log('${word}');\n`);
      return file;
    },
    /** Load it in a process of its own, as a start does; what it prints. */
    run(flags: readonly string[] = []) {
      const load = `import(${JSON.stringify(loader)}).then((it) => it.loadProgram(${JSON.stringify(file)}))`;
      return execFileSync(process.execPath, [...flags, '-e', load], { encoding: 'utf8' }).trim();
    },
    /** The kept files, each with when it was written. */
    kept: () =>
      readdirSync(folder)
        .filter((name) => name.includes('compiled'))
        .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs })),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('the first start keeps what was compiled, the next one uses it', () => {
  using program = openProgram();
  program.write('one');
  expect(program.run()).toBe('one');
  const kept = program.kept();
  expect(kept).toHaveLength(1);
  expect(program.run()).toBe('one');
  // It would have been written again had it not been taken.
  expect(program.kept()).toEqual(kept);
});

test('a program that changed is compiled again, be it as long as the one before', () => {
  using program = openProgram();
  program.write('one');
  program.run();
  const file = program.write('two');
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect(program.run()).toBe('two');
  expect(program.kept()).toHaveLength(2);
});

test('what other flags compiled, or no one, is refused and replaced', () => {
  using program = openProgram();
  program.write('one');
  program.run();
  const [first] = program.kept();
  expect(program.run(['--no-opt', '--stack-size=900'])).toBe('one');
  expect(program.kept()[0]?.at).not.toBe(first?.at);
  writeFileSync(first?.path ?? '', 'not compiled by anybody');
  expect(program.run()).toBe('one');
  expect(statSync(first?.path ?? '').size).toBeGreaterThan(100);
});

test('where nothing can be kept the program runs all the same', () => {
  using program = openProgram();
  program.write('one');
  program.run();
  const [{ path } = { path: '' }] = program.kept();
  rmSync(path);
  mkdirSync(join(path, 'in the way'), { recursive: true });
  expect(program.run()).toBe('one');
  expect(program.kept().map((one) => one.path)).toEqual([path]);
});

test('a program that says it is not worth it keeps nothing', () => {
  using program = openProgram();
  program.write('one', 'null');
  expect(program.run()).toBe('one');
  expect(program.kept()).toEqual([]);
});
