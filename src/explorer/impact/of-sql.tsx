// Impact of a query: the columns of the table it fills, and what uses them.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { ResourceLink } from '../parts/link.tsx';
import { Problem } from '../parts/problem.tsx';
import { impactWords as words } from '../words/impact.ts';
import { dialectChoices } from '../words/names/dialects.ts';
import { ForReview } from './for-review.tsx';
import {
  FilledTable,
  type Named,
  type Reach,
  ReachOf,
  ReadSql,
  type ReadSqlData,
} from './page.graphql';
import { ownersOf, ReachList } from './reach.tsx';
import { summaryOf } from './summary.ts';
import { TableField } from './table-field.tsx';

/** What a query does to the table that it fills. */
interface Finding {
  readonly read: ReadSqlData['lineageFromQuery'];
  /** Null where it fills none that the catalog knows. */
  readonly table: Named | null;
  readonly gone: readonly string[];
  readonly added: readonly string[];
  readonly reach: Reach | null;
}

/** The form, and below it what was found. */
export function OfSql() {
  const [sql, setSql] = useState('');
  const [dialect, setDialect] = useState('postgres');
  const [table, setTable] = useState<Named | null>(null);
  const look = useAct<void, Finding>(() => find(sql, dialect, table), []);
  return (
    <>
      <p className="quiet">{words.sqlHow}</p>
      <form
        className="sheet form wide"
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate();
        }}
      >
        <label className="choice">
          <span>{words.sql}</span>
          <textarea
            rows={9}
            className="sql"
            spellCheck={false}
            required
            value={sql}
            onChange={({ currentTarget }) => setSql(currentTarget.value)}
          />
        </label>
        <div className="line-of-fields">
          <Choice
            label={words.dialect}
            none={null}
            value={dialect}
            choices={dialectChoices}
            choose={setDialect}
          />
        </div>
        <TableField table={table} choose={setTable} />
        <p>
          <button type="submit" className="main" disabled={look.isPending}>
            {look.isPending ? words.looking : words.look}
          </button>
        </p>
      </form>
      {look.error && <Problem error={look.error} />}
      {look.data && <Found finding={look.data} />}
    </>
  );
}

async function find(sql: string, dialect: string, chosen: Named | null): Promise<Finding> {
  const { lineageFromQuery: read } = await ask(ReadSql, {
    ...{ sql, dialect, tableId: chosen?.id ?? null },
  });
  const id = chosen?.id ?? read.targetTable?.id ?? null;
  const found = id === null ? null : (await ask(FilledTable, { id })).resource;
  if (!found || !('columns' in found)) {
    return { read, table: null, gone: [], added: [], reach: null };
  }
  const outputs = read.statements.flatMap((statement) => statement.outputs.map(({ name }) => name));
  const kept = new Set(outputs.map((name) => name.toLowerCase()));
  // A statement that says nothing of its columns, such as DELETE, takes none away.
  const gone = found.columns.filter(
    ({ title }) => outputs.length > 0 && !kept.has(title.toLowerCase()),
  );
  const had = new Set(found.columns.map(({ title }) => title.toLowerCase()));
  const of = gone.length > 0 ? gone.map((column) => column.id) : [found.id];
  const { impact } = await ask(ReachOf, { of });
  return {
    ...{ read, table: found, reach: impact },
    gone: gone.map(({ title }) => title),
    added: outputs.filter((name) => !had.has(name.toLowerCase())),
  };
}

function Found({ finding }: { finding: Finding }) {
  const { read, table, gone, added, reach } = finding;
  const odd = [
    ...read.skipped.map(({ line, reason }) => words.skipped(line, reason)),
    ...read.diagnostics.map(({ line, message }) => `${line}: ${message}`),
    ...read.unresolved.map(({ message }) => message),
  ];
  const sources = read.sourceTables.flatMap(({ resource }) => resource ?? []);
  return (
    <div className="stack found" role="status">
      <section className="sheet">
        <h2>{table ? words.fills(table.titleFull) : words.reaches}</h2>
        {!table && (
          <p>{read.targetTable ? words.unknownTarget(read.targetTable.name) : words.readsOnly}</p>
        )}
        {table && (
          <>
            <p className={gone.length > 0 ? 'lead wrong' : 'lead'}>
              {gone.length > 0 ? words.gone(gone.length) : words.noneGone}
            </p>
            <Names names={gone} />
            {added.length > 0 && <p>{words.added(added.length)}</p>}
            <Names names={added} />
            <p>{gone.length > 0 ? words.goneReach : words.noneGoneReach}</p>
            {reach && <ReachList reach={reach} />}
          </>
        )}
      </section>
      {odd.length > 0 && (
        <section className="sheet">
          <h2>{words.unsure}</h2>
          <ul>
            {odd.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </section>
      )}
      <section className="sheet">
        <h2>{words.reads}</h2>
        {sources.length === 0 && <p className="quiet">{words.readsNothing}</p>}
        <ul className="rows">
          {sources.map((source) => (
            <li key={source.id}>
              <ResourceLink to={source} />
            </li>
          ))}
        </ul>
      </section>
      {table && (
        <ForReview
          markdown={summaryOf({
            ...{ table: table.titleFull, gone, added, reach, unsure: odd },
            owners: reach ? ownersOf(reach).map(({ name }) => name) : [],
          })}
        />
      )}
    </div>
  );
}

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      {names.map((name) => (
        <code key={name} className="pill">
          {name}
        </code>
      ))}
    </p>
  );
}
