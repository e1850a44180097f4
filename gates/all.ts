// Runs every gate, one after another, and says in a line each what came of it: `npm run gates`.
//
// The gates are the scripts of package.json whose names begin with `gate:`; what a gate prints is shown where
// it failed. Names, such as `npm run gates -- edits kills`, run those alone. It ends with 1 where one failed.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const prefix = 'gate:';

const wanted = process.argv.slice(2);
const known = gates();
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no gate ${unknown[0]}; there are ${known.join(', ')}.`);
  process.exit(2);
}
const failed: string[] = [];
for (const name of wanted.length > 0 ? wanted : known) {
  const began = performance.now();
  const { code, output } = await run(name);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  if (code !== 0) failed.push(name);
  if (code !== 0) console.log(output);
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s: ${last}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;

function gates(): string[] {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const names = Object.keys(scripts).filter((script) => script.startsWith(prefix));
  return names.map((script) => script.slice(prefix.length));
}

/** Run one; what it printed, and its exit code. */
function run(name: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const gate = spawn('npm', ['run', '--silent', prefix + name], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [gate.stdout, gate.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    gate.once('close', (code) => resolve({ code, output }));
  });
}
