// Configuration of Prisma's command, which works offline here: validate, format, generate, studio.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

const [command = ''] = process.argv.slice(2);

// Their work is done by the schema engine, a program that Prisma downloads: no package has it inside.
if (command === 'migrate' || command === 'db') {
  console.error(
    `\`prisma ${command}\` needs a program that is downloaded, so this project does without. Author a migration with ` +
      '`npm run db:migration NAME`; the server applies migrations when it starts.',
  );
  process.exit(1);
}

// The others download that program as well, and never start it, unless this names a file that is there.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
// It would ask its vendor whether there is a newer version.
process.env.CHECKPOINT_DISABLE ??= '1';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(command === 'studio' && !process.argv.includes('--url')
    ? { datasource: { url: studioAddress() } }
    : {}),
});

/** The address that `npm run db:url` prints. Studio's driver takes the folder of a socket from PGHOST only. */
function studioAddress(): string {
  const script = fileURLToPath(new URL('scripts/command.mjs', import.meta.url));
  const printed = execFileSync(process.execPath, [script, 'db-url'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = new URL(printed.trim());
  const folder = address.searchParams.get('host');
  if (folder === null) return address.href;
  process.env.PGHOST = folder;
  process.env.PGUSER = decodeURIComponent(address.username);
  process.env.PGPASSWORD = decodeURIComponent(address.password);
  address.searchParams.delete('host');
  return `postgresql://${address.pathname}${address.search}`;
}
