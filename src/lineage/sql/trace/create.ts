// Traces CREATE TABLE and CREATE VIEW, and remembers what they made for the rest of the script.

import {
  at,
  bodyOf,
  type Identifier,
  identifierOf,
  identifiersAt,
  isNode,
  kindOf,
  listAt,
  type Node,
  tablePath,
} from '../node.ts';
import { NOTHING, type Relation, relationOf, renamed } from '../scope/relation.ts';
import { NO_SURROUNDINGS, sameName } from '../scope/scope.ts';
import { defineTable, tableAt } from '../scope/table.ts';
import { traceCtes } from './cte.ts';
import { traceQuery } from './query.ts';
import { addEffect, defineAs } from './statement.ts';
import { readTable, type Trace, targetTable } from './trace.ts';

/** CREATE TABLE: from a query, as a copy or clone, like another table, or with its own columns. */
export function traceCreateTable(trace: Trace, body: Node): void {
  const target = targetTable(trace, body.name);
  if (!target) return;
  const columns = identifiersAt(body, 'columns');
  const query = body.as_select;
  const clone = tablePath(body.clone_source);
  if (query || clone.length > 0) {
    const ctes = traceCtes(trace, at(body, 'with_cte'), NO_SURROUNDINGS);
    const made = query ? traceQuery(trace, query, { ctes, outer: null }) : readTable(trace, clone);
    const isByName = trace.dialect.parser === 'mysql' && made.open.length === 0;
    const relation = isByName ? beside(made, columns) : renamed(made, columns);
    addEffect(trace, 'CREATE_TABLE', target, relation);
    defineAs(target, relation);
    return;
  }
  const like = listAt(body, 'constraints').map((each) => at(at(each, 'Like'), 'source'))[0];
  const model = like ? tablePath(like) : [];
  if (model.length > 0) defineTable(target, tableAt(trace.tables, model).columns);
  else if (columns.length > 0) {
    defineTable(
      target,
      columns.map((column) => column.name),
    );
  }
  addEffect(trace, 'CREATE_TABLE', target);
}

/** MySQL's `CREATE TABLE t (a INT) SELECT b`: columns of one name are one, others stay besides. */
function beside(made: Relation, columns: readonly Identifier[]): Relation {
  const own = columns
    .filter((name) => !made.columns.some((column) => sameName(column.name, name)))
    .map((name) => ({ name, sources: NOTHING, expression: null }));
  return { columns: [...own, ...made.columns], open: [] };
}

/** CREATE VIEW. ClickHouse's `TO table` fills that table by the names of the outputs. */
export function traceCreateView(trace: Trace, body: Node): void {
  const view = targetTable(trace, body.name);
  const to = isNode(body.to_table) ? targetTable(trace, body.to_table) : null;
  const ctes = traceCtes(trace, at(body, 'with'), NO_SURROUNDINGS);
  const made = traceQuery(trace, body.query, { ctes, outer: null });
  const relation: Relation = to ? made : renamed(made, viewColumns(body));
  const target = to ?? view;
  if (!target) return;
  addEffect(trace, 'CREATE_VIEW', target, relation);
  if (view && to) defineAs(view, relationOf(to));
  else defineAs(target, relation);
}

function viewColumns(body: Node) {
  const listed = identifiersAt(body, 'columns');
  if (listed.length > 0) return listed;
  return listAt(at(body, 'schema'), 'expressions')
    .filter((definition) => kindOf(definition) === 'column_def')
    .map((definition) => identifierOf(bodyOf(definition)))
    .filter((name) => name !== null);
}
