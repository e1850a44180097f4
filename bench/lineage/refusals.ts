// Counts the queries of other dialects' collections that the engine doesn't read, by dialect.
import { findDialect } from '../../src/lineage/sql/dialect.ts';
import { finish, prepare } from '../../src/lineage/sql/script.ts';

/** A query that another parser reads, in that parser's name for its dialect. */
export interface Query {
  readonly dialect: string;
  readonly sql: string;
}

/** Of dialects with fewer queries a share says nothing. */
const ENOUGH = 40;
/** What may be refused at most, of all queries and of those of one dialect. */
const MOST = { all: 0.02, dialect: 0.04 } as const;

/** Print how many queries are refused, and each of them if asked. Sets status 1 where it is too many. */
export function printRefusals(queries: readonly Query[], isTold: boolean): void {
  const byDialect = new Map<string, Query[]>();
  for (const query of queries) {
    const others = byDialect.get(query.dialect) ?? [];
    byDialect.set(query.dialect, [...others, query]);
  }
  const shares: string[] = [];
  let refused = 0;
  let isTooMany = false;
  for (const [dialect, list] of [...byDialect].sort(([a], [b]) => a.localeCompare(b))) {
    const unread = list.filter((query) => isRefused(query));
    refused += unread.length;
    isTooMany ||= list.length > ENOUGH && unread.length >= MOST.dialect * list.length;
    if (unread.length > 0) shares.push(`${dialect} ${unread.length}/${list.length}`);
    if (isTold) for (const { sql } of unread) console.log(`--- ${dialect}\n${sql}`);
  }
  isTooMany ||= refused >= MOST.all * queries.length;
  const share = ((100 * refused) / Math.max(1, queries.length)).toFixed(1);
  console.log(`dialects           refused ${refused}/${queries.length} (${share}%):`, ...shares);
  if (!isTooMany) return;
  console.log('dialects           more than 2% of all, or 4% of a dialect, are refused');
  process.exitCode = 1;
}

function isRefused({ dialect, sql }: Query): boolean {
  const prepared = prepare({ sql, dialect: findDialect(dialect)?.name ?? 'generic' });
  return finish(prepared, []).errors.length > 0;
}
