// Follows in which database and schema short names lie, as USE and its like change it along a script.

import type { Dialect } from '../dialect.ts';
import type { Token } from '../tokens/tokens.ts';
import { unquote } from '../tokens/tokens.ts';

/** The database and schema of names that have none. */
export interface Defaults {
  readonly database: string | null;
  readonly schema: string | null;
  /** Schemas in which a table is looked for when that one has none of its name. */
  readonly further?: readonly string[];
}

/** What holds after a statement: USE, `SET search_path`, `ALTER SESSION SET CURRENT_SCHEMA`. */
export function defaultsAfter(
  tokens: readonly Token[],
  before: Defaults,
  dialect: Dialect,
): Defaults {
  const words = tokens.slice(0, 5).map(({ word }) => word);
  const [first, second] = words;
  if (first === 'USE') return used(tokens, before, dialect);
  // Teradata's `DATABASE x`.
  if (first === 'DATABASE' && tokens.length === 2) return chosen(tokens.slice(1), before, 'schema');
  const isPath = first === 'SET' && second === 'SEARCH_PATH';
  const isSchema = first === 'SET' && second === 'SCHEMA';
  const rest = tokens.slice(2).filter(({ word }) => word !== '=' && word !== 'TO');
  if (isSchema) return chosen(rest, before, 'schema');
  if (isPath) return alongPath(rest, before);
  if (words.slice(0, 4).join(' ') === 'ALTER SESSION SET CURRENT_SCHEMA') {
    return chosen(tokens.slice(5), before, 'schema');
  }
  return before;
}

/** `SET search_path TO etl, public`; the schema of the user itself and those of the system hold no data. */
function alongPath(tokens: readonly Token[], before: Defaults): Defaults {
  const names = tokens.map(plainName).filter((name) => name !== null);
  const [schema, ...further] = names.filter((name) => !/^(?:\$user|pg_\w+)$/i.test(name));
  return schema === undefined ? before : { ...before, schema, further };
}

function used(tokens: readonly Token[], before: Defaults, dialect: Dialect): Defaults {
  const kind = tokens[1]?.word ?? '';
  const named = tokens.length > 2 && tokens[2]?.word !== '.';
  if (!named) return chosen(tokens.slice(1), before, dialect.use);
  const rest = tokens.slice(2);
  switch (kind) {
    case 'CATALOG':
      return chosen(rest, before, 'database');
    case 'DATABASE':
      return chosen(rest, before, dialect.use);
    case 'SCHEMA':
    case 'NAMESPACE':
      return chosen(rest, before, 'schema');
    default:
      // Roles and warehouses say nothing about names.
      return before;
  }
}

/** The names in these tokens as defaults: two parts are both, one is what is said to be chosen. */
function chosen(tokens: readonly Token[], before: Defaults, what: 'database' | 'schema'): Defaults {
  const [first, dot, second] = tokens;
  const name = first ? plainName(first) : null;
  if (name === null) return before;
  const inner = dot?.word === '.' && second ? plainName(second) : null;
  if (inner !== null) return { database: name, schema: inner };
  return { ...before, [what]: name };
}

function plainName(token: Token): string | null {
  if (token.kind === 'string') return token.text.slice(1, -1);
  return token.kind === 'word' || token.kind === 'name' ? unquote(token) : null;
}
