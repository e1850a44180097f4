// Traces COPY and LOAD DATA: between tables and files, and out of queries.
import {
  at,
  bodyOf,
  identifierOf,
  isQuery,
  isSet,
  kindOf,
  listAt,
  type Node,
  tablePath,
} from '../node.ts';
import { renamed } from '../scope/relation.ts';
import { NO_SURROUNDINGS } from '../scope/scope.ts';
import { traceQuery } from './query.ts';
import { addEffect } from './statement.ts';
import { readTable, type Trace, targetTable } from './trace.ts';

/** COPY INTO a table from files or a query, or out of a table or a query to files. */
export function traceCopy(trace: Trace, body: Node): void {
  const subject = body.this;
  if (isQuery(subject)) {
    addEffect(trace, 'COPY', null, traceQuery(trace, subject, NO_SURROUNDINGS));
    return;
  }
  const schema = kindOf(subject) === 'schema' ? bodyOf(subject) : null;
  const table = bodyOf(schema ? schema.this : subject);
  const query = listAt(body, 'files').find(isQuery);
  const isTable = tablePath(table).length > 0;
  if (query) {
    const relation = traceQuery(trace, query, NO_SURROUNDINGS);
    const target = isTable ? targetTable(trace, table) : null;
    const listed = listAt(schema, 'expressions')
      .map(identifierOf)
      .filter((name) => name !== null);
    const known = (target?.columns ?? []).map((name) => ({ name, quoted: true }));
    const names = listed.length > 0 ? listed : known;
    addEffect(trace, 'COPY', target, target ? renamed(relation, names) : relation);
    return;
  }
  if (!isTable) {
    addEffect(trace, 'COPY', null);
    return;
  }
  if (isSet(body, 'kind')) {
    addEffect(trace, 'COPY', targetTable(trace, table));
    return;
  }
  addEffect(trace, 'COPY', null, readTable(trace, tablePath(table)));
}

/** LOAD DATA fills a table from a file. */
export function traceLoad(trace: Trace, body: Node): void {
  const table = kindOf(body.table) === 'table' ? at(body.table, 'table') : body.table;
  addEffect(trace, 'COPY', targetTable(trace, table));
}
