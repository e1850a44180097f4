// In charge of choosing the table that a query fills, where the query does not say so.

import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { impactWords as words } from '../words/impact.ts';
import { monitorWords } from '../words/quality.ts';
import { type Named, TablesToFill } from './page.graphql';

interface TableFieldProps {
  readonly table: Named | null;
  readonly choose: (table: Named | null) => void;
}

/** What is chosen, or the field that finds it. */
export function TableField({ table, choose }: TableFieldProps) {
  const [query, setQuery] = useState('');
  const wanted = query.trim();
  const { data } = useAnswer(
    TablesToFill,
    { query: wanted },
    { isKept: true, isWanted: wanted !== '' && table === null },
  );
  if (table) {
    return (
      <p className="chosen">
        <span className="quiet">{words.target}</span> <b>{table.titleFull}</b>
        <button type="button" onClick={() => choose(null)}>
          {monitorWords.targetChange}
        </button>
      </p>
    );
  }
  return (
    <>
      <label className="choice">
        <span>{words.target}</span>
        <input
          type="search"
          value={query}
          placeholder={words.targetFind}
          maxLength={200}
          autoComplete="off"
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      </label>
      {wanted !== '' && (
        <ul className="rows">
          {data?.search.nodes.map(({ resource }) => (
            <li key={resource.id}>
              <button type="button" className="row" onClick={() => choose(resource)}>
                <Chip kind={resource.kind} />
                <span>
                  <b>{resource.title}</b>
                  <small>{placeOf(resource)}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
