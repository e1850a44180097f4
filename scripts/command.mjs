// Runs a command of the program, after building what has changed: `node scripts/command.mjs db-url`.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';

const [name = '', ...args] = process.argv.slice(2);
const names = readdirSync(fileURLToPath(new URL('../src/commands', import.meta.url))).map((file) =>
  file.replace(/\.ts$/, ''),
);

if (!names.includes(name)) {
  console.error(`Usage: node scripts/command.mjs COMMAND\nCommands: ${names.join(', ')}`);
  process.exit(2);
}
// What a command prints is read by programs: what the build says is not to be among it.
const { log } = console;
console.log = console.error;
await buildOrExit();
console.log = log;
// Commands read their own arguments where every program has them.
process.argv.splice(2, process.argv.length - 2, ...args);
await import(`../dist/commands/${name}.js`);
