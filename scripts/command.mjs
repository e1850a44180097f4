// Runs a command of Headwater, after building what has changed: `node scripts/command.mjs key --help`.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';

const sources = fileURLToPath(new URL('../src/commands', import.meta.url));
const [name = ''] = process.argv.splice(2, 1);

if (!/^[a-z-]+$/.test(name) || !existsSync(`${sources}/${name}.ts`)) {
  const names = readdirSync(sources).map((file) => file.replace(/\.ts$/, ''));
  console.error(`Usage: node scripts/command.mjs COMMAND [options]\nCommands: ${names.join(', ')}`);
  process.exit(2);
}

// What a command prints is read by programs: what the build says is not to be among it.
const { log } = console;
console.log = console.error;
await buildOrExit();
console.log = log;
await import(`../dist/commands/${name}.js`);
