// The one place that calls the parser package: SQL to tree, and expressions back to SQL.
import { generate, Dialect as ParserDialect, parse } from '@polyglot-sql/sdk';
import type { Dialect } from './dialect.ts';

/** What the parser made of a text. Offsets count code points. */
export interface ParserAnswer {
  /** One tree for each statement, or null when the text was refused. */
  readonly trees: readonly unknown[] | null;
  readonly error: string;
  readonly errorStart: number;
}

const byName = new Map<string, ParserDialect>();
for (const name of Object.values(ParserDialect)) byName.set(name, name);

/** Parse a text. Throws when the WebAssembly instance broke, which then is of no use any more. */
export function parseText(text: string, dialect: Dialect): ParserAnswer {
  const { success, ast, error = '', errorStart = 0 } = parse(text, byName.get(dialect.parser));
  if (!success && isBroken(error)) throw new ParserBroken(error);
  const trees: unknown = success ? ast : null;
  return { trees: Array.isArray(trees) ? trees : null, error, errorStart };
}

/** An expression of a tree as SQL, or null when the parser can't write it. */
export function writeExpression(expression: unknown, dialect: Dialect): string | null {
  const { success, sql } = generate([expression], byName.get(dialect.parser));
  return success ? (sql?.[0] ?? null) : null;
}

/** The parser's WebAssembly instance ended; its thread has to be replaced. */
export class ParserBroken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ParserBroken';
  }
}

/** The parser catches traps of its WebAssembly and reports them like errors of the text. */
function isBroken(error: string): boolean {
  return /unreachable|memory access|call stack|table index|recursive use|null function/i.test(
    error,
  );
}
