// Models that differ from the catalog: each with its columns and why.

import { impactWords as words } from '../words/impact.ts';
import type { Change } from './page.graphql';

/** The models of one sort; nothing where there are none. */
export function Changes({ title, changes }: { title: string; changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <>
      <h3>
        {title} ({changes.length})
      </h3>
      <ul className="plain">
        {changes.map((change) => (
          <li key={change.name}>
            <b>{change.name}</b>
            <Columns name={words.columnsGone} columns={change.removedColumns} tone="alarm" />
            <Columns
              name={words.columnsChanged}
              columns={change.changedColumns.map(
                ({ name, before, after }) => `${name}: ${before} → ${after}`,
              )}
              tone="warning"
            />
            <Columns name={words.columnsNew} columns={change.addedColumns} tone="good" />
            {change.reasons.map((reason) => (
              <div key={reason} className="quiet">
                {reason}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ColumnsProps {
  readonly name: string;
  readonly columns: readonly string[];
  readonly tone: string;
}

function Columns({ name, columns, tone }: ColumnsProps) {
  if (columns.length === 0) return null;
  return (
    <div>
      <span className="quiet">{name}</span>{' '}
      {columns.map((column) => (
        <code key={column} className={`badge ${tone}`}>
          {column}
        </code>
      ))}
    </div>
  );
}
