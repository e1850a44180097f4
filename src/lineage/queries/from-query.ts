// Lineage that is read from a query: shown, created, or put in the place of what was.

import { nameOf, record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField, notFound } from '../../errors.ts';
import { type LineageEdge, Prisma } from '../../generated/prisma/client.ts';
import { noteHappening } from '../../jobs/happening.ts';
import { inThread } from '../../process/thread.ts';
import { currentId } from '../../resources/alias.ts';
import { lockWhere } from '../../resources/editing/lock.ts';
import { columnsBelow } from '../../resources/lists/nesting.ts';
import { isUuid } from '../../text/uuid.ts';
import { certaintyOf, columnTitles, keepCertainty } from '../certainty.ts';
import { connect, disconnect, nameEdges } from '../connect.ts';
import { takingTurns } from '../memory/turns.ts';
import { givenTable, inCatalogTerms, type QueryLineage } from './catalog-terms.ts';
import { flowOf } from './flow.ts';
import { keepQuery } from './query.ts';
import { traceSql } from './trace-sql.ts';
import { isAnyRead, refused } from './unread.ts';
import { type LineageResource, openWarehouse, tableSummary } from './warehouse.ts';

/** A query, and how to read the names in it. */
export interface QueryInput {
  readonly sql: string;
  readonly dialect: string;
  /** The table that the query fills, for a query that does not say so itself. */
  readonly tableId?: string | null | undefined;
  readonly defaultDatabase?: string | null | undefined;
  readonly defaultSchema?: string | null | undefined;
  /** Refuse the text where one of its statements cannot be read. */
  readonly strict?: boolean | null | undefined;
}

/**
 * Read the lineage of a query and write nothing. Statements that cannot be read are left out, and
 * listed in the `errors` of what was traced. Throws BAD_REQUEST for an unknown dialect and, with line
 * and column, for SQL of which nothing can be read, or not all where that is asked for; NOT_FOUND for
 * a table that is none.
 */
export async function previewQuery(ctx: Context, input: QueryInput): Promise<QueryLineage> {
  const target = input.tableId ? await targetOf(ctx, input.tableId) : null;
  const warehouse = openWarehouse(ctx, target);
  const self = target ? givenTable(target).path : undefined;
  const question = { ...input, expressions: true, self };
  const traced = await inThread(ctx, () => traceSql(question, warehouse.lookup));
  const isRefused = traced.errors.length > 0 && (input.strict || !isAnyRead(traced));
  if (isRefused) throw refused(traced.errors, traced.statements.length);
  if (traced.statements.length === 0) throw invalidField('sql', 'It contains no statement.');
  const turns = takingTurns(ctx);
  const flow = await flowOf(traced, turns);
  const terms = await inCatalogTerms({ traced, flow, warehouse, given: target }, turns);
  return { sql: input.sql, traced, ...terms };
}

async function targetOf(ctx: Context, id: string): Promise<LineageResource> {
  const table = isUuid(id) ? await tableSummary(ctx, id) : null;
  if (table) return table;
  const kept = isUuid(id) ? await currentId(ctx, id) : null;
  if (kept === null) throw notFound('Table');
  return targetOf(ctx, kept);
}

/** Create the lineage of a query, next to what there is. Editors may. */
export async function createFromQuery(ctx: Context, input: QueryInput): Promise<QueryLineage> {
  return write(ctx, input, 'lineage_created', async () => []);
}

/**
 * Put the lineage of a query in the place of what flowed into its table and that no one drew by hand.
 * What the query says, too, stays as it is. Editors may.
 */
export async function replaceFromQuery(ctx: Context, input: QueryInput): Promise<QueryLineage> {
  return write(ctx, input, 'lineage_replaced', (tx, found) =>
    endEdgesInto(tx, found, Prisma.sql`e.origin <> 'MANUAL'`),
  );
}

async function write(
  ctx: Context,
  input: QueryInput,
  activity: 'lineage_created' | 'lineage_replaced',
  endFormer: (tx: Context, found: QueryLineage) => Promise<LineageEdge[]>,
): Promise<QueryLineage> {
  mustBeAllowed(ctx, 'edit lineage');
  // Reading the query takes its time and a thread of its own: no transaction is open in the meantime.
  const found = await previewQuery(ctx, input);
  // It would take away what there is, and put nothing in its place.
  const isIdle = found.traced.statements.every(({ kind }) => kind === 'OTHER');
  if (isIdle && found.sources.length === 0) {
    throw invalidField('sql', 'It contains no statement that reads or writes a table.');
  }
  await transaction(ctx, async (tx) => {
    await holdTarget(tx, found);
    const ended = await endFormer(tx, found);
    const integrationId = found.target?.known?.integrationId ?? null;
    const query = await keepQuery(tx, { ...input, traced: found.traced, integrationId });
    await connect(tx, found.edges, { origin: 'QUERY', integrationId, queryId: query.id });
    await keepWhatIsSure(tx, found);
    const known = found.target?.known;
    if (known) {
      const sources = found.sources.map(({ name, known }) => ({
        id: known?.id ?? null,
        title: name,
      }));
      await noteHappening(tx, 'lineage_changed', {
        ...{ what: 'read from SQL', by: nameOf(ctx.viewer), sources },
        target: { id: known.id, kind: known.kind, title: known.title },
      });
    }
    await record(tx, {
      activity,
      subject: found.target?.known ?? query,
      related: { ids: [query.id], type: 'query' },
      changes: [changeOf('lineage', await nameEdges(tx, ended), edgesInWords(found))],
    });
  });
  return found;
}

async function keepWhatIsSure(tx: Context, { target, traced }: QueryLineage): Promise<void> {
  const id = target?.known?.id;
  if (!id) return;
  const titles = await columnTitles(tx, id);
  await keepCertainty(tx, id, certaintyOf(titles, traced));
}

/** The edges of a query, by the names that it uses. */
function edgesInWords({ sources, target, columns }: QueryLineage): string[] {
  const tables = sources.map(({ name }) => `${name} -> ${target?.name ?? 'the query'}`);
  const pairs = columns.map(
    ({ from, to }) =>
      `${from.table?.name ?? ''}.${from.name} -> ${to.table?.name ?? ''}.${to.name}`,
  );
  return [...tables, ...pairs];
}

/** Of two who say at once what flows into a table, the second one sees what the first one wrote. */
export async function holdTarget(tx: Context, { target }: QueryLineage): Promise<void> {
  const id = target?.known?.id;
  if (id) await lockWhere(tx, Prisma.sql`r.id = ${id}::uuid`);
}

/**
 * End what flows into the target of a query and its columns, of the edges that `which` picks on the
 * alias `e`, but for what the query says again; answers those. Runs in the transaction that writes the new ones.
 */
export async function endEdgesInto(
  tx: Context,
  { target, edges }: QueryLineage,
  which: Prisma.Sql,
): Promise<LineageEdge[]> {
  if (!target?.known) return [];
  const { id, integrationId } = target.known;
  const ended = await rows<{ id: string }>(
    tx,
    Prisma.sql`select e.id from lineage_edge e
      where e.workspace_id = ${tx.workspaceId}::uuid and e.valid_to is null
        and ${which} and not e.implied
        and e.target_id in (with recursive ${columnsBelow(tx, Prisma.sql`select ${id}::uuid`)}
          select b.id from below b)
        and not (e.origin = 'QUERY'
          and e.integration_id is not distinct from ${integrationId}::uuid
          and exists (select from unnest(
              ${edges.map(({ sourceId }) => sourceId)}::uuid[],
              ${edges.map(({ targetId }) => targetId)}::uuid[]) n(source_id, target_id)
            where n.source_id = e.source_id and n.target_id = e.target_id))
      for update`,
  );
  return disconnect(
    tx,
    ended.map((edge) => edge.id),
  );
}
