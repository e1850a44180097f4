// Lines of the log, on files that take them and on files that don't.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogOutput } from '../../src/tracing/log-output.ts';

/** A pipe with a name, whose readers come and go. */
function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-pipe-'));
  const path = join(folder, 'log');
  execFileSync('mkfifo', [path]);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const first = openReader();
  const output = new LogOutput(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  return {
    ...{ output, first, openReader },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** What lies in a pipe; nothing where it is empty. */
function read(reader: number): string {
  const bytes = Buffer.alloc(1024 * 1024);
  try {
    return bytes.toString('utf8', 0, readSync(reader, bytes));
  } catch {
    return '';
  }
}

async function readUntil(reader: number, end: string): Promise<string> {
  let text = '';
  await expect
    .poll(() => {
      text += read(reader);
      return text.endsWith(end);
    })
    .toBe(true);
  return text;
}

test('lines come in their order, however slowly they are read', async () => {
  using pipe = openPipe();
  const lines = Array.from({ length: 2_000 }, (_, n) => `${n} ${'x'.repeat(200)}\n`);
  for (const line of lines) pipe.output.write(line);
  expect(await readUntil(pipe.first, '1999 '.padEnd(205, 'x').concat('\n'))).toBe(lines.join(''));
  expect(pipe.output.dropped).toBe(0);
});

test('lines for which a disk has no room are dropped and counted', async () => {
  const output = new LogOutput(openSync('/dev/full', 'w'));
  output.write('one\n');
  output.write('two\n');
  output.write('three\n');
  await expect.poll(() => output.dropped).toBe(3);
  output.write('four\n');
  await expect.poll(() => output.dropped).toBe(4);
  output.writeRest();
});

test('what no one reads is dropped, and what comes after is written', async () => {
  using pipe = openPipe();
  const { output, first, openReader } = pipe;
  output.write('before\n');
  expect(await readUntil(first, 'before\n')).toBe('before\n');
  closeSync(first);
  output.write('nobody\n');
  await expect.poll(() => output.dropped).toBe(1);
  const second = openReader();
  output.write('after\n');
  expect(await readUntil(second, 'after\n')).toBe('after\n');
});

test('a line that is there by half ends before the next one', async () => {
  using pipe = openPipe();
  const { output, first, openReader } = pipe;
  const long = `${'x'.repeat(1024 * 1024)}\n`;
  output.write(long);
  // The pipe takes a part of it.
  await expect.poll(() => read(first).length).toBeGreaterThan(0);
  closeSync(first);
  await expect.poll(() => output.dropped).toBe(1);
  const second = openReader();
  output.write('after\n');
  expect(await readUntil(second, 'after\n')).toBe('\nafter\n');
});

test('past what may wait, lines are dropped', () => {
  using pipe = openPipe();
  const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let n = 0; n < 20; n += 1) pipe.output.write(line);
  expect(pipe.output.dropped).toBeGreaterThan(0);
  closeSync(pipe.first);
});

test('the last lines are written when the process ends', () => {
  using pipe = openPipe();
  pipe.output.write('under way\n');
  pipe.output.write('last\n');
  pipe.output.writeRest();
  expect(read(pipe.first)).toContain('last\n');
});
