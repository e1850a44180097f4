// A log that is sealed, and somebody who does to it what its triggers refuse.

import type pg from 'pg';
import { expect } from 'vitest';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { type Verification, verifyLog } from '../../src/audit/verify.ts';
import { contextAcross } from '../../src/context.ts';
import type { Database } from '../../src/database/database.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

/** What a verification finds, with hashes that it is to look for. */
export function verify(database: Database, ...hashes: readonly string[]): Promise<Verification> {
  return verifyLog(contextAcross(database), { hashes });
}

/** A log of five entries, numbered from 1, which are sealed. */
export async function openLog(): Promise<Catalog> {
  const catalog = await openCatalog({ alone: true });
  for (const name of ['one', 'two', 'three', 'four', 'five']) await catalog.tag({ name });
  expect(await sealWhatIsDue(catalog.database)).toBe(5);
  return catalog;
}

/** Do something to the tables of the log that their triggers refuse. */
export async function tamper(catalog: Catalog, ...statements: readonly string[]): Promise<void> {
  const client: pg.PoolClient = await catalog.owner.connect();
  try {
    await client.query('begin');
    for (const table of ['audit_log', 'audit_seal']) {
      await client.query(`alter table ${table} disable trigger user`);
    }
    for (const statement of statements) await client.query(statement);
    for (const table of ['audit_log', 'audit_seal']) {
      await client.query(`alter table ${table} enable trigger user`);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}
