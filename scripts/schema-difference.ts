// The SQL that leads from a database's tables to those of schema.prisma, and to the words of the schema's enums.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type * as SchemaEngine from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { migrationsFolder, readMigrations } from '../src/database/migrations/migrate.ts';
import { setDifferences } from './closed-sets.ts';

type Engine = typeof SchemaEngine;

const schemaPath = 'prisma/schema.prisma';
const noFilters = { externalTables: [], externalEnums: [] };

/**
 * The SQL that would bring a database to schema.prisma, and its constraints to the words of the enums
 * they stand for; an empty string when they agree. Indexes
 * that Prisma has no words for (partial, over expressions, GIN) are dropped from the database first,
 * or the engine would propose to drop them: give it one that is thrown away.
 */
export async function schemaDifference(pool: pg.Pool): Promise<string> {
  const sets = (await setDifferences(pool)).map(({ sql }) => sql);
  using engine = await openEngine(pool);
  const files = await schemaFiles();
  const to = { tag: 'schemaDatamodel', files } as const;
  const options = { script: true, exitCode: null, filters: noFilters };
  const whole = await engine.diff({ from: { tag: 'empty' }, to, ...options });
  await dropForeignIndexes(pool, whole.stdout ?? '');
  await pool.query('drop table if exists "_prisma_migrations"');
  const from = { tag: 'schemaDatasource', files, configDir: '.' } as const;
  const { stdout } = await engine.diff({ from, to, ...options });
  const script = (stdout ?? '').trim();
  const tables = script === '-- This is an empty migration.' ? [] : [script];
  return [...tables, ...sets].join('\n\n').trim();
}

/** What `prisma migrate status` says of a database: how its history differs from the folder's. */
export async function diagnoseHistory(pool: pg.Pool): Promise<HistoryDiagnosis> {
  using engine = await openEngine(pool);
  const migrations = await readMigrations();
  const { history, failedMigrationNames, editedMigrationNames } =
    await engine.diagnoseMigrationHistory({
      optInToShadowDatabase: false,
      filters: noFilters,
      migrationsList: {
        baseDir: migrationsFolder,
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
        })),
      },
    });
  return { history, failed: failedMigrationNames, edited: editedMigrationNames };
}

export interface HistoryDiagnosis {
  /** How the histories differ; null when they do not. */
  history: unknown;
  failed: string[];
  edited: string[];
}

async function schemaFiles() {
  return [{ path: schemaPath, content: await readFile(schemaPath, 'utf8') }];
}

async function openEngine(pool: pg.Pool) {
  const { SchemaEngine } = await loadEngine();
  const datamodels = (await schemaFiles()).map(({ path, content }): [string, string] => [
    path,
    content,
  ]);
  const adapter = bindMigrationAwareSqlAdapterFactory(systemTableReader(pool));
  return SchemaEngine.new({ datamodels }, () => {}, adapter);
}

async function dropForeignIndexes(pool: pg.Pool, known: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_index i
     join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
     where c.relnamespace = 'public'::regnamespace
       and (i.indpred is not null or i.indexprs is not null or a.amname <> 'btree')`,
  );
  for (const { name } of rows) {
    if (!known.includes(`"${name}"`)) await pool.query(`drop index "${name}"`);
  }
}

/** PostgreSQL's numbers for the types "char" and text. */
const CHARACTER = 18;
const TEXT = 25;

/**
 * Prisma's adapter does not know PostgreSQL's type "char", which the engine reads from the system
 * tables: the adapter is given such columns as text, and the engine is told what they were.
 */
function systemTableReader(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    async connect() {
      const adapter = await factory.connect();
      const query: (...args: unknown[]) => Promise<pg.QueryArrayResult> = pool.query;
      const queryRaw = adapter.queryRaw.bind(adapter);
      // The engine asks one thing after another, so these are the columns of the last answer.
      let isCharacter: boolean[] = [];
      Object.assign(pool, {
        async query(...args: unknown[]): Promise<pg.QueryArrayResult> {
          const result = await query.apply(pool, args);
          isCharacter = result.fields.map((field) => field.dataTypeID === CHARACTER);
          for (const field of result.fields) {
            if (field.dataTypeID === CHARACTER) field.dataTypeID = TEXT;
          }
          return result;
        },
      });
      return Object.assign(adapter, {
        async queryRaw(statement: SqlQuery): Promise<SqlResultSet> {
          const result = await queryRaw(statement);
          const columnTypes = result.columnTypes.map((type, column) =>
            isCharacter[column] ? ColumnTypeEnum.Character : type,
          );
          return { ...result, columnTypes };
        },
      });
    },
  };
}

let loading: Promise<Engine> | undefined;

/** The package is made for bundlers: Node.js has to give the module its WebAssembly by hand. */
function loadEngine(): Promise<Engine> {
  loading ??= (async () => {
    const path = createRequire(import.meta.url).resolve(
      '@prisma/schema-engine-wasm/schema_engine_bg',
    );
    const engine: Engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, {
      './schema_engine_bg.js': { ...engine },
    });
    const { __wbindgen_start: start } = instance.exports;
    engine.__wbg_set_wasm(instance.exports);
    if (typeof start === 'function') start();
    return engine;
  })();
  return loading;
}
