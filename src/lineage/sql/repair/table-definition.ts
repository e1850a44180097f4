// Reads definitions of tables that the parser doesn't take: their names and columns are all that counts.

import { bodyOf, kindOf } from '../node.ts';
import { isName, pathEnd } from '../tokens/tokens.ts';
import { columnNames } from './rewrite.ts';
import { closing, textOf } from './text-edit.ts';
import type { Rewrite, Written } from './written.ts';

/** `CREATE FOREIGN TABLE t (a INT) SERVER s`, and others with words of their own around the columns. */
export function definition(written: Written): Rewrite | null {
  const { tokens } = written;
  const kind = tokens.findIndex(({ word }) => word === 'TABLE');
  if (tokens[0]?.word !== 'CREATE' || kind < 1 || kind > 5) return null;
  const name = tokens[kind + 1]?.word === 'IF' ? kind + 4 : kind + 1;
  if (!isName(tokens[name])) return null;
  const end = pathEnd(tokens, name);
  // A query or another table would say more than the columns do.
  if (tokens.some(({ word }) => /^(?:SELECT|LIKE|CLONE|COPY)$/.test(word))) return null;
  const names = columnNames(tokens, end + 1);
  const behind = names ? closing(tokens, end + 1) + 1 : end + 1;
  const isStream = tokens.slice(0, kind).some(({ word }) => word === 'STREAMING');
  // Without any of them the columns themselves are no SQL.
  const isBare = tokens[behind] === undefined;
  if (isBare ? !isStream : !names || !OPTION.test(tokens[behind]?.word ?? '')) return null;
  const list = (names ?? ['a']).map((column) => `${column} INT`).join(', ');
  const texts = [`CREATE TABLE ${textOf(written, name, end)} (${list})`];
  return {
    what: 'options of CREATE were left out',
    texts,
    mend: names ? undefined : withoutColumns,
  };
}

/** What may stand behind the columns. */
const OPTION =
  /^(?:ORGANIZATION|SERVER|WITH|ROW|STORED|LOCATION|OPTIONS|PARTITION(?:ED)?|ENGINE|TBLPROPERTIES|COMMENT|USING|CLUSTER|TABLESPACE|ON|ORDER|SETTINGS|PRIMARY)$/;

function withoutColumns(tree: unknown): unknown {
  return kindOf(tree) === 'create_table' ? { create_table: { name: bodyOf(tree).name } } : tree;
}
