// Knows which columns functions in FROM give: those of their schema, or of their manual.

import {
  at,
  bodyOf,
  type Identifier,
  identifierOf,
  kindOf,
  listAt,
  type Node,
  textAt,
  walk,
} from '../node.ts';

/** The columns that a function gives without being asked: in its schema, or by its manual. */
export function givenColumns(kind: string | null, body: Node): Identifier[] {
  if (kind === 'j_s_o_n_table' || kind === 'x_m_l_table' || kind === 'open_j_s_o_n') {
    const defined = definedColumns(body);
    if (defined.length > 0) return defined;
  }
  const name = (kind === 'function' ? textAt(body, 'name') : kind) ?? '';
  const given = GIVEN[name.toLowerCase()] ?? '';
  return given
    .split(' ')
    .filter(Boolean)
    .map((column) => ({ name: column, quoted: false }));
}

const GIVEN: Record<string, string> = {
  flatten: 'seq key path index value this',
  split_to_table: 'seq index value',
  strtok_split_to_table: 'seq index value',
  posexplode: 'pos col',
  posexplode_outer: 'pos col',
  json_each: 'key value',
  json_each_text: 'key value',
  jsonb_each: 'key value',
  jsonb_each_text: 'key value',
  json_tree: 'key value type atom id parent fullkey path',
  open_j_s_o_n: 'key value type',
  openjson: 'key value type',
  string_split: 'value ordinal',
  numbers: 'number',
  numbers_mt: 'number',
};

/** The columns that JSON_TABLE, XMLTABLE and OPENJSON define, also nested ones. */
function definedColumns(body: Node): Identifier[] {
  const names: Identifier[] = [];
  const add = (name: Identifier | null) => {
    if (name) names.push(name);
  };
  walk([at(body, 'schema'), listAt(body, 'expressions'), listAt(body, 'columns')], (value) => {
    const kind = kindOf(value);
    const inner = bodyOf(value);
    if (kind === 'j_s_o_n_column_def' || kind === 'open_j_s_o_n_column_def') {
      add(identifierOf(inner.this));
    } else if (kind === 'column_def') add(identifierOf(inner));
  });
  return names;
}
