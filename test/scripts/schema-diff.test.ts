// `npm run schema:diff`: what of a change breaks clients, and whether they were warned before.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../house/sources.ts';
import { hasTool } from '../tool.ts';

describe.skipIf(!hasTool('@graphql-inspector/core'))('with the tools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-schema-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Compare the schema with one that had other fields of queries. */
  function since(older: (now: string) => string) {
    const file = join(folder, 'older.graphql');
    writeFileSync(file, older(readFileSync(join(root, 'schema.graphql'), 'utf8')));
    const script = join(root, 'scripts/schema-diff.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    return { status, stdout };
  }
  const withField = (field: string) => (now: string) =>
    now.replace('type Query {\n', `type Query {\n  ${field}\n`);

  test('a field that goes breaks clients', () => {
    const { status, stdout } = since(withField('gone: String'));
    expect(stdout).toContain('Breaks clients: 1\n  Field');
    expect([status, stdout.includes('deprecated)')]).toEqual([1, false]);
  });

  test('one that was deprecated may go', () => {
    const { status, stdout } = since(withField('gone: String @deprecated(reason: "Use viewer.")'));
    expect(stdout).toContain('(it was deprecated)');
    expect(status).toBe(0);
  });

  test('one that comes is safe, and no change is none', () => {
    const { status, stdout } = since((now) =>
      now.replace(`  """Whom the request acts for."""\n  viewer: Viewer!\n`, ''),
    );
    expect(stdout).toContain('Safe: ');
    expect([status, stdout.includes('Breaks clients')]).toEqual([0, false]);
    expect(since((now) => now).stdout).toMatch(/^Nothing changed since /);
  });
});
