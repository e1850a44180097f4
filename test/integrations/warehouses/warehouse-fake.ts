// Statements of warehouses that cannot be installed, run by DuckDB: over tables named as the vendor's views.

import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { type Answer, type Asked, type HttpFake, startFake } from '../connectors/http-fake.ts';

/** What a statement answered: columns with DuckDB's types, and rows with its values. */
export interface DuckAnswer {
  readonly columns: readonly { readonly name: string; readonly type: DuckDBType }[];
  readonly rows: readonly (readonly DuckDBValue[])[];
}

/** A refusal of DuckDB: its words, and the kind of error. */
export class DuckRefusal extends Error {
  readonly kind: string;

  constructor(message: string) {
    super(message);
    this.kind = /^(\w+(?: \w+)?) Error/.exec(message)?.[1] ?? 'Unknown';
  }
}

export interface DuckWarehouse extends Disposable {
  /** Run statements of the test's own. */
  run(sql: string): Promise<void>;
  /** Run one as the vendor's server would. Throws DuckRefusal. */
  ask(sql: string): Promise<DuckAnswer>;
}

/** A warehouse in memory; null where DuckDB is not installed. */
async function openDuckWarehouse(): Promise<DuckWarehouse | null> {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (!duckdb) return null;
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection: DuckDBConnection = await instance.connect();
  await connection.run(`set timezone to 'UTC'`);
  return {
    async run(sql) {
      await connection.run(sql);
    },
    async ask(sql) {
      try {
        const reader = await connection.runAndReadAll(sql);
        const types = reader.columnTypes();
        const columns = reader.columnNames().map((name, at) => {
          const type = types[at];
          if (!type) throw new Error(name);
          return { name, type };
        });
        return { columns, rows: reader.getRows() };
      } catch (error) {
        throw new DuckRefusal(error instanceof Error ? error.message : String(error));
      }
    },
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** A server that speaks a vendor's protocol over a warehouse in memory. */
export interface WarehouseFake extends AsyncDisposable {
  readonly http: HttpFake;
  readonly warehouse: DuckWarehouse;
  /** Statements that were run, each time that one was. */
  readonly executed: string[];
  /** Statements that were cancelled. */
  readonly cancelled: string[];
  /** What the login may not read. */
  denied: RegExp | null;
  /** An answer in place of the server's own; undefined for that. */
  fault: (asked: Asked) => Answer | undefined;
  /** How many times a statement is asked for before it is done. */
  polls: number;
  /** Rows of each part of an answer. */
  partRows: number;
  /** How many tokens were made. */
  tokens: number;
}

/** Start a server over what some statements make; null where DuckDB is not installed. */
export async function startWarehouse(
  statements: string,
  answer: (asked: Asked) => Answer | Promise<Answer>,
): Promise<WarehouseFake | null> {
  const warehouse = await openDuckWarehouse();
  if (!warehouse) return null;
  await warehouse.run(statements);
  const http = await startFake((asked) => state.fault(asked) ?? answer(asked));
  const state: WarehouseFake = {
    ...{ http, warehouse, executed: [], cancelled: [], denied: null, fault: () => undefined },
    ...{ polls: 0, partRows: 100, tokens: 0 },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      warehouse[Symbol.dispose]();
    },
  };
  return state;
}

/** Tables of the shop that every warehouse of the tests holds: `database.SALES`. */
export function shopIn(database: string): string {
  return `
    create schema "${database}"."SALES"; create schema "${database}"."STAGING"; create schema "${database}"."EMPTY";
    create table "${database}"."SALES"."ORDERS" ("ID" bigint primary key, "AMOUNT" decimal(38, 2),
      "PLACED_AT" timestamp default now(), "PAID" boolean not null, "Größe" varchar);
    insert into "${database}"."SALES"."ORDERS" select n, n * 1.5, '2026-01-01'::timestamp + to_hours(n::int), n % 2 = 0,
      'g' || n from range(1, 501) r(n);
    comment on table "${database}"."SALES"."ORDERS" is 'One row an order, it''s said';
    comment on column "${database}"."SALES"."ORDERS"."AMOUNT" is 'Net, in euros';
    create table "${database}"."SALES"."DAILY" ("DAY" date, "TOTAL" decimal(38, 2));
    create table "${database}"."SALES"."a.b ""q" ("x y" double);
    create view "${database}"."SALES"."LARGE" as select "ID", "AMOUNT" * 2 as "TWICE"
      from "${database}"."SALES"."ORDERS" where "AMOUNT" > 100;
    create view "${database}"."SALES"."LARGER" as select "ID", "TWICE" from "${database}"."SALES"."LARGE";
    create table "${database}"."STAGING"."RAW" ("ID" bigint);`;
}
