// Lineage of a pasted query: looked at first, then added to what there is or put in its place.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { say } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';

import { ReadSql, type ReadSqlData } from '../../impact/page.graphql';
import { Choice } from '../../parts/choosing/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { drawnWords as words } from '../../words/drawn.ts';
import { dialectChoices } from '../../words/names/dialects.ts';
import { ResourcePage } from '../page.graphql';
import { AddLineageOfSql, DrawnEdges, ReplaceLineageOfSql } from './drawn.graphql';

interface FromSqlProps {
  /** The table that the query fills. */
  readonly table: { readonly id: string; readonly title: string };
  readonly close: () => void;
}

/** The dialog. */
export function FromSql({ table, close }: FromSqlProps) {
  const [sql, setSql] = useState('');
  const [dialect, setDialect] = useState('postgres');
  const [isReplaced, setReplaced] = useState(false);
  const given = { sql, dialect, tableId: table.id };
  const look = useAct(() => ask(ReadSql, given), []);
  const save = useAct(async () => {
    if (isReplaced) await ask(ReplaceLineageOfSql, given);
    else await ask(AddLineageOfSql, given);
  }, [ResourcePage, DrawnEdges]);
  const read = look.data?.lineageFromQuery;
  const write = (next: () => void) => {
    // What was looked at is no longer what would be saved.
    look.reset();
    next();
  };
  const submit = () => {
    if (!read) return look.mutate();
    return save.mutate(undefined, {
      onSuccess: () => {
        say(words.saved(table.title));
        close();
      },
    });
  };
  return (
    <Dialog title={words.fromSql} close={close} isWritten={sql.trim() !== ''}>
      <form
        className="form wide"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label className="choice">
          <span>{words.sql(table.title)}</span>
          <textarea
            rows={9}
            className="sql"
            spellCheck={false}
            required
            value={sql}
            onChange={({ currentTarget }) => write(() => setSql(currentTarget.value))}
          />
        </label>
        <Choice
          label={words.dialect}
          none={null}
          value={dialect}
          choices={dialectChoices}
          choose={(next) => write(() => setDialect(next))}
        />
        <label>
          <input
            type="checkbox"
            checked={isReplaced}
            onChange={({ currentTarget }) => setReplaced(currentTarget.checked)}
          />{' '}
          {words.replaces}
        </label>
        {read && <Preview read={read} />}
        <p>
          <button type="submit" className="main" disabled={look.isPending || save.isPending}>
            {read ? words.save : words.preview}
          </button>
        </p>
      </form>
      {(look.error ?? save.error) && <Problem error={look.error ?? save.error ?? new Error()} />}
    </Dialog>
  );
}

/** What would be saved: the tables that are read, and what could not be determined. */
function Preview({ read }: { read: ReadSqlData['lineageFromQuery'] }) {
  const known = read.sourceTables.filter(({ resource }) => resource !== null);
  const unknown = read.sourceTables.filter(({ resource }) => resource === null);
  const odd = [
    ...read.skipped.map(({ reason }) => reason),
    ...read.unresolved.map(({ message }) => message),
  ];
  return (
    <div role="status">
      <p>{words.reads(known.map(({ name }) => name))}</p>
      {unknown.length > 0 && (
        <p className="quiet">{words.unknown(unknown.map(({ name }) => name))}</p>
      )}
      {odd.length > 0 && (
        <ul>
          {odd.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
