// The sample's live source: a DuckDB file whose views follow the calendar.

import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as DuckDb from '@duckdb/node-api';
import type { OpenSource } from '../monitors/runs/asking.ts';
import { sampleFile } from './sample.ts';

const day = 86_400_000;

/** Where the file is, below the folder of file databases. */
export const storefrontPath = 'sample/storefront.duckdb';

/** Where it lies, for those who name its tables. */
export const storefrontAddress = `duckdb:///${storefrontPath}`;

/** The hour at which the sample's monitors run: what the views show changes at midnight. */
export const runHour = 12;

/** The number of the day of the latest run before a moment, counted from 1970. */
export function lastRunDay(now: Date): number {
  return Math.floor((now.getTime() - runHour * 3_600_000) / day);
}

/** When the monitors run on a day. */
export function runOn(number: number): Date {
  return new Date(number * day + runHour * 3_600_000);
}

/** The driver is optional; without it the sample has no live source. */
async function loadDriver(): Promise<typeof DuckDb | null> {
  return import('@duckdb/node-api').catch(() => null);
}

/** Make the file, in place of one that is there; false without the driver. */
export async function buildStorefront(
  filesDir: string,
  script: string,
  brokenAt: number,
): Promise<boolean> {
  const driver = await loadDriver();
  if (!driver) return false;
  const path = join(filesDir, storefrontPath);
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  await rm(`${path}.wal`, { force: true });
  const instance = await driver.DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    await connection.run(`create macro broken_at() as ${Math.trunc(brokenAt)}`);
    await connection.run(await readFile(sampleFile(script), 'utf8'));
    await connection.run('checkpoint');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return true;
}

/** The file as it was on earlier days. */
export interface PastStorefront {
  on(day: number): OpenSource;
  close(): void;
}

/** Open the file to measure what it showed on earlier days; null without the driver. */
export async function openPast(filesDir: string): Promise<PastStorefront | null> {
  const driver = await loadDriver();
  if (!driver) return null;
  const path = join(filesDir, storefrontPath);
  const instance = await driver.DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  return {
    on: (number) => async () => {
      await connection.run(`set variable day = ${Math.trunc(number)}`);
      return {
        dialect: 'duckdb',
        async query(sql) {
          return { rows: (await connection.runAndReadAll(sql)).getRowsJS() };
        },
        close: async () => {},
      };
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
