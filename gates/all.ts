// Runs gates, one after another: `npm run gates` all of them, `npm run gates -- edits kills` those.
//
// Of several each says in a line what came of it, and shows what it printed where it failed; one alone prints
// as it goes. `--list` says which these are; `--quick` runs as much of each as takes a minute or so, and of all
// only those that no test shows as well; `--control` runs the negative controls: what a gate is about is taken
// out of the program, and it has to fail.
// With AGAIN and FAILURES in its environment it runs what failed before, and notes what fails (test/house/failures.ts).
// Options that are none of these are the gate's own, such as `npm run gates -- edits --races 60`. It ends with
// 1 where one failed.

import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { failedBefore, noteFailure } from '../test/house/failures.ts';
import { controls } from './controls.mjs';
import { type Gate, gateOf, gates, quickGates } from './gates.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const without = new URL('without.mjs', import.meta.url).href;

const own = ['--list', '--quick', '--control'];
const given = process.argv.slice(2);
const [isList, isQuick, isControl] = own.map((one) => given.includes(one));
const others = given.filter((one) => !own.includes(one));
const firstOption = others.findIndex((one) => one.startsWith('--'));
const names = firstOption < 0 ? others : others.slice(0, firstOption);
/** Options of the gate itself. */
const theirs = others.slice(names.length);

process.exitCode = await main();

async function main(): Promise<number> {
  const unknown = names.find((name) => !gateOf(name));
  if (unknown !== undefined || (theirs.length > 0 && names.length !== 1)) {
    const known = gates.map(({ name }) => name).join(', ');
    console.error(
      unknown === undefined
        ? `Name the one gate that ${theirs[0]} is for.`
        : `There is no gate ${unknown}; there are ${known}.`,
    );
    return 2;
  }
  const again = failedBefore();
  const wanted =
    names.length > 0
      ? names.flatMap((name) => gateOf(name) ?? [])
      : (isQuick ? quickGates : gates).filter(({ name }) => again?.includes(name) ?? true);
  if (isList) {
    const width = Math.max(...gates.map(({ name }) => name.length));
    for (const { name, shows } of wanted) console.log(`${name.padEnd(width)}  ${shows}`);
    return 0;
  }
  const { code } = await run(['scripts/build.mjs'], {}, true);
  if (code !== 0) return 1;
  const failed: string[] = [];
  for (const gate of wanted) {
    if (!(await runGate(gate, wanted.length === 1))) failed.push(gate.name);
  }
  if (wanted.length > 1) {
    const passed = wanted.length - failed.length;
    const which = failed.length > 0 ? `: ${failed.join(', ')}` : '';
    console.log(
      `      Gates  ${failed.length} failed | ${passed} passed (${wanted.length})${which}`,
    );
  }
  return failed.length === 0 ? 0 : 1;
}

/** Whether it went as it should: it passed, or its negative control did not. */
async function runGate(gate: Gate, isAlone: boolean): Promise<boolean> {
  const began = performance.now();
  const env: Record<string, string> = envOf(gate);
  if (isControl) {
    env.WITHOUT = gate.without;
    env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${without}`;
  }
  if (!controls[gate.without]) throw new Error(`There is no control ${gate.without}.`);
  const { code, output } = await run(commandOf(gate), env, isAlone);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const isWell = (code === 0) !== isControl;
  const [load = 0] = loadavg();
  if (!isWell) noteFailure(gate.name, 'the whole gate', countsIn(output));
  if (!isWell && !isAlone) console.log(output);
  const what = isControl
    ? `${gate.name} without ${gate.without}: ${isWell ? 'failed, as it should' : 'NOTICED NOTHING'}`
    : `${gate.name}: ${isWell ? 'passed' : 'FAILED'}`;
  const machine = `load ${load.toFixed(1)} on ${availableParallelism()} cores`;
  console.log(`${what} in ${seconds} s (${machine})${isAlone ? '' : `: ${countsIn(output)}`}`);
  return isWell;
}

function commandOf({ run: how }: Gate): string[] {
  if ('tests' in how) return ['node_modules/vitest/vitest.mjs', 'run', ...how.tests, ...theirs];
  const args = theirs.length > 0 ? theirs : isQuick ? (how.quick ?? []) : [];
  const program = ['--import', 'tsx', how.program, ...(how.args ?? []), ...args];
  return how.onPostgres ? ['scripts/postgres.mjs', process.execPath, ...program] : program;
}

function envOf({ run: how }: Gate): Record<string, string> {
  if (!('tests' in how)) return {};
  return { ...how.env, ...(isQuick ? how.quickEnv : {}) };
}

/** What a gate says last is what it counted; of tests, how many there were. */
function countsIn(output: string): string {
  const plain = output.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
  const tests = /^ +Tests +(.*)$/m.exec(plain)?.[1];
  return tests ?? plain.trimEnd().split('\n').at(-1) ?? '';
}

/** Run a program of Node.js; what it printed, unless that is shown at once, and its exit code. */
function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isShown: boolean,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const gate = spawn(process.execPath, args, {
      cwd: root,
      // What failed is noted by gates.
      env: { ...process.env, FAILURES: undefined, AGAIN: undefined, ...env },
      stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    });
    let output = '';
    for (const stream of [gate.stdout, gate.stderr]) {
      stream?.on('data', (data) => {
        output += data;
      });
    }
    gate.once('close', (code) => resolve({ code, output }));
  });
}
