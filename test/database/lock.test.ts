import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from '../../src/database/lock.ts';
import { type Program, startProgram } from './program.ts';

let folder: string;
let programs: Program[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-lock-'));
  programs = [];
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.kill()));
  rmSync(folder, { recursive: true, force: true });
});

async function startHolder(): Promise<Program> {
  const program = startProgram('./holder.ts', [folder]);
  programs.push(program);
  await program.line('begin');
  return program;
}

const lockFile = () => join(folder, 'headwater.lock');

test('of eight that race for a folder one gets it, and the others say who has it', async () => {
  const racers = await Promise.all(Array.from({ length: 8 }, startHolder));
  // All are loaded and wait.
  for (const racer of racers) racer.go();
  const outcomes = await Promise.all(
    racers.map((racer) => Promise.race([racer.line('got it'), racer.line('refused: ')])),
  );
  const winners = racers.filter((_, index) => outcomes[index] === 'got it');
  expect(winners).toHaveLength(1);
  const holder = `process ${winners[0]?.pid} on ${hostname()}`;
  for (const outcome of outcomes.filter((line) => line !== 'got it')) {
    expect(outcome).toContain(holder);
    expect(outcome).toContain(folder);
  }
});

test('a folder is refused to the same process, too, and free once it is let go', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid} on ${hostname()}`);
  unlock();
  const again = await lockFolder(folder);
  again();
});

test('what a killed process left is taken over', async () => {
  const holder = await startHolder();
  holder.go();
  await holder.line('got it');
  await holder.kill();
  expect(readFileSync(lockFile(), 'utf8')).toContain(`"pid":${holder.pid}`);
  const unlock = await lockFolder(folder);
  expect(readFileSync(lockFile(), 'utf8')).toContain(`"pid":${process.pid}`);
  unlock();
});

test('a lock file that was cut off by a kill is taken over', async () => {
  writeFileSync(lockFile(), '{"pid": 12');
  const unlock = await lockFolder(folder);
  unlock();
});

test('a lock from another host is kept, with what to do about it', async () => {
  const other = { pid: 1, host: 'another-host', boot: 'x', startedAt: '1' };
  writeFileSync(lockFile(), JSON.stringify(other));
  await expect(lockFolder(folder)).rejects.toThrow(
    `process 1 on another-host. If that process is gone for good, delete ${lockFile()}.`,
  );
  expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toEqual(other);
  // The refusal must not have kept anything itself.
  rmSync(lockFile());
  const unlock = await lockFolder(folder);
  unlock();
});
