// Runs gates, one after another: `npm run gates` all of them, `npm run gates -- edits kills` those.
//
// Of several each says in a line what came of it, and shows what it printed where it failed; one alone prints
// as it goes. `--list` says which these are; `--quick` runs as much of each as takes a minute or so, and of all
// only those that no test shows as well; `--no-times` only reports what misses a bar of time; `--control` runs the
// negative controls: what a gate is about is taken out of the program, and it has to count faults.
// Nothing is tried twice: what loses something one time in ten has lost something. A skipped test is one that failed.
// Options that are none of these are the gate's own, such as `npm run gates -- edits --races 60`. It ends with
// 1 where one failed.

import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { controls } from './controls.mjs';
import { countsIn, type Ran, wentWell } from './counts.ts';
import { controlsOf, type Gate, gateOf, gates, quickGates, testEnvOf } from './gates.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const without = new URL('without.mjs', import.meta.url).href;

const own = ['--list', '--quick', '--no-times', '--control'];
const given = process.argv.slice(2);
const [isList, isQuick, isUntimed, isControl] = own.map((one) => given.includes(one));
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
  const all = isQuick ? quickGates : gates;
  const wanted = names.length > 0 ? names.flatMap((name) => gateOf(name) ?? []) : all;
  if (isList) {
    const width = Math.max(...gates.map(({ name }) => name.length));
    for (const { name, shows } of wanted) console.log(`${name.padEnd(width)}  ${shows}`);
    return 0;
  }
  const { code } = await run(['scripts/build.mjs'], {}, true);
  if (code !== 0) return 1;
  const failed: string[] = [];
  for (const gate of wanted) {
    const passed: boolean[] = [];
    for (const control of isControl ? controlsOf(gate) : [null]) {
      passed.push(await runGate(gate, control, wanted.length === 1));
    }
    if (passed.includes(false)) failed.push(gate.name);
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

/** Whether it went as it should: it passed, or the negative control that is named did not. */
async function runGate(gate: Gate, control: string | null, isAlone: boolean): Promise<boolean> {
  if (control !== null && !controls[control]) throw new Error(`There is no control ${control}.`);
  const began = performance.now();
  const ran = await run(commandOf(gate), envOf(gate, control), isAlone);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const isWell = wentWell(gate, ran, control !== null);
  if (!isWell && !isAlone) console.log(ran.output);
  const counts = countsIn(gate, ran.output);
  const noticed = counts === null ? 'BROKE BEFORE IT COUNTED' : 'NOTICED NOTHING';
  const what = control
    ? `${gate.name} without ${control}: ${isWell ? 'failed, as it should' : noticed}`
    : `${gate.name}: ${isWell ? 'passed' : 'FAILED'}`;
  const times = isUntimed && gate.ofTime ? ', bars of time only reported' : '';
  const machine = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
  // What tests counted stands between all that they printed.
  const isSaid = isAlone && !('tests' in gate.run);
  const more = isSaid ? '' : `: ${counts ?? 'nothing was counted'}`;
  console.log(`${what} in ${seconds} s (${machine}${times})${more}`);
  return isWell;
}

function commandOf({ run: how }: Gate): string[] {
  if ('tests' in how) {
    const files = how.tests.filter((file) => !isUntimed || !file.endsWith('.timed.test.ts'));
    return ['node_modules/vitest/vitest.mjs', 'run', ...files, ...theirs];
  }
  const args = theirs.length > 0 ? theirs : isQuick ? (how.quick ?? []) : [];
  const program = ['--import', 'tsx', how.program, ...(how.args ?? []), ...args];
  return how.onPostgres ? ['scripts/postgres.mjs', process.execPath, ...program] : program;
}

function envOf(gate: Gate, control: string | null): Record<string, string> {
  const imports = `${process.env.NODE_OPTIONS ?? ''} --import=${without}`;
  return {
    ...testEnvOf(gate, isQuick ?? false),
    ...(isUntimed ? { NO_TIMES: '1' } : {}),
    ...(control ? { WITHOUT: control, NODE_OPTIONS: imports } : {}),
  };
}

/** Run a program of Node.js; what it printed, which may be shown as it comes, and its exit code. */
function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isShown: boolean,
): Promise<Ran> {
  return new Promise((resolve) => {
    const gate = spawn(process.execPath, args, {
      cwd: root,
      // Nothing is tried again: no failures of theirs are noted.
      env: { ...process.env, FAILURES: undefined, AGAIN: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [gate.stdout, gate.stderr]) {
      stream.on('data', (data) => {
        output += data;
        if (isShown) process.stdout.write(data);
      });
    }
    gate.once('close', (code) => resolve({ code, output }));
  });
}
