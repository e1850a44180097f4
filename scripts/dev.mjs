// Runs Headwater from its sources and starts it again whenever one of them changes.

import { spawn } from 'node:child_process';
import { watchFile } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, buildOrExit } from './build.mjs';
import { watchExplorer } from './explorer.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

await buildOrExit('client');
await watchExplorer(root, (line) => console.error(line));

const server = spawn(
  process.execPath,
  [
    'node_modules/tsx/dist/cli.mjs',
    'watch',
    '--clear-screen=false',
    '--include=src/**/*.{graphql,html,svg,css,js}',
    '--include=prisma/migrations/**/*.sql',
    '--exclude=src/explorer/**/*',
    'src/main.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
server.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));

// The new client is a source like any other: writing it starts the server again.
watchFile(`${root}prisma/schema.prisma`, { interval: 500 }, () => {
  build('client').catch((error) => console.error(error.message));
});
