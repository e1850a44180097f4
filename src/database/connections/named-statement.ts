// One run of a statement that its connection keeps a plan for, and of which it is told once what the columns are.
//
// node-postgres' own query asks for that again each time, makes an event of each row, and copies what it is given.

import type pg from 'pg';
import utils from 'pg/lib/utils.js';

declare module 'pg' {
  // Its types leave these out.
  interface Connection {
    readonly parsedStatements: Record<string, string | undefined>;
    sendCopyFail(message: string): void;
  }
}

/** A statement under a name, which stands for its text alone. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: Pick<typeof pg.types, 'getTypeParser'>;
}

/** What a statement answers with. */
interface Columns {
  readonly fields: pg.FieldDef[];
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** A row of nulls. */
  readonly empty: Readonly<Record<string, unknown>>;
}

const none: Columns = { fields: [], names: [], parsers: [], empty: {} };

/** Statements that a connection keeps plans of at most. */
export const maxKept = 1_000;

/**
 * The statements of a connection by their names, the one asked for last at the end, and their columns once they are
 * known; PostgreSQL lets none answer with others than when it was prepared.
 */
const known = new WeakMap<pg.Connection, Map<string, Columns | null>>();

/** Whether a query goes by a name. */
export function isNamed(query: unknown): query is NamedQuery {
  return typeof query === 'object' && query !== null && 'name' in query && query.name !== undefined;
}

/** To be given to a client of node-postgres, which calls its methods with what the server says. */
export class NamedStatement implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** What the server answers. */
  readonly answer: Promise<pg.QueryResult>;
  readonly #query: NamedQuery;
  readonly #rows: Record<string, unknown>[] = [];
  #columns = none;
  #connection: pg.Connection | null = null;
  #tag = '';
  /** Why a row could not be read. */
  #fault: { readonly error: unknown } | null = null;
  #resolve: (result: pg.QueryResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(query: NamedQuery) {
    this.name = query.name;
    this.text = query.text;
    this.#query = query;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Send it. What is answered is an error that kept it from being sent. */
  readonly submit = (connection: pg.Connection): Error | null => {
    const { name, text } = this;
    const { values } = this.#query;
    let mapped: (string | Buffer | null)[];
    try {
      mapped = values.map(utils.prepareValue);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
    connection.stream.cork();
    const columns = noteUse(connection, name);
    if (connection.parsedStatements[name] === undefined) {
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values: mapped }, true);
    if (columns) this.#columns = columns;
    else {
      this.#connection = connection;
      connection.describe({ type: 'P' }, true);
    }
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
    return null;
  };

  handleRowDescription({ fields }: { readonly fields: pg.FieldDef[] }): void {
    const { getTypeParser } = this.#query.types;
    this.#columns = {
      fields,
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => getTypeParser(dataTypeID, 'text')),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#fault) return;
    const { names, parsers, empty } = this.#columns;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let i = 0; i < names.length; i += 1) {
        const [name, text, parse] = [names[i], texts[i], parsers[i]];
        if (text != null && name !== undefined && parse) row[name] = parse(text);
      }
    } catch (error) {
      this.#fault = { error };
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
    const connection = this.#connection;
    if (!connection) return;
    known.get(connection)?.set(this.name, this.#columns);
  }

  handleReadyForQuery(): void {
    if (this.#fault) this.#reject(this.#fault.error);
    const [command = '', ...numbers] = this.#tag.split(' ');
    const rowCount = numbers.length > 0 ? Number(numbers.at(-1)) : null;
    const { fields } = this.#columns;
    this.#resolve({ command, rowCount, oid: 0, fields, rows: this.#rows });
  }

  handleError(error: unknown): void {
    this.#reject(this.#fault?.error ?? error);
  }

  /** Only what is read in parts is interrupted, or is asked for what to copy. */
  handlePortalSuspended(connection: pg.Connection): void {
    connection.sync();
  }

  handleEmptyQuery(): void {}

  handleCopyInResponse(connection: pg.Connection): void {
    connection.sendCopyFail('Nothing is copied here.');
  }

  handleCopyData(): void {}
}

/** The columns of a statement that is about to be sent, if they are known. Of too many the one that was not asked for longest is forgotten. */
function noteUse(connection: pg.Connection, name: string): Columns | null {
  const kept = known.get(connection) ?? new Map<string, Columns | null>();
  known.set(connection, kept);
  const columns = kept.get(name) ?? null;
  kept.delete(name);
  kept.set(name, columns);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) {
    kept.delete(oldest);
    delete connection.parsedStatements[oldest];
    connection.close({ type: 'S', name: oldest }, true);
  }
  return columns;
}
