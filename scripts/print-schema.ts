// Prints the schema, sorted, to schema.graphql; with --check only says whether that file is up to date.

import { readFile, writeFile } from 'node:fs/promises';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from '../src/graphql/schema.ts';

const file = new URL('../schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, printed);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== printed) {
  console.error('schema.graphql is not what the schema prints: run `npm run schema:print`.');
  process.exitCode = 1;
}
