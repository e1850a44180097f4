// Authors a migration: `npm run db:migration add_a_column` writes what schema.prisma changed.

import { mkdir, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { migrationsFolder } from '../src/database/migrations/migrate.ts';
import { addressOf, prepareServer } from '../test/server.ts';
import { schemaDifference } from './schema-difference.ts';

const empty = process.argv.includes('--empty');
const name = process.argv.slice(2).find((argument) => !argument.startsWith('-'));

if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error(
    'Usage: npm run db:migration NAME [-- --empty]\n' +
      '  NAME says what changes, in lower case: add_a_column.\n' +
      '  --empty makes a file to write SQL into that Prisma has no words for.',
  );
  process.exitCode = 2;
} else {
  await mkdir(migrationsFolder, { recursive: true });
  const sql = empty ? '-- Write here what Prisma cannot express.' : await difference();
  if (sql === '') console.log('The migrations already lead to prisma/schema.prisma.');
  else console.log(`Wrote ${await write(name, sql)}. Read it before you commit it.`);
}

async function difference(): Promise<string> {
  // A server that is thrown away, with every migration applied.
  await using server = await prepareServer();
  // As the owner of the tables, who may drop indexes; the program itself uses a role that may not.
  const pool = new pg.Pool({ connectionString: addressOf(server.url, server.template) });
  try {
    return await schemaDifference(pool);
  } finally {
    await pool.end();
  }
}

async function write(name: string, sql: string): Promise<string> {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = `${migrationsFolder}/${now}_${name}`;
  await mkdir(folder);
  await writeFile(`${folder}/migration.sql`, `${sql}\n`);
  return `prisma/migrations/${now}_${name}/migration.sql`;
}
