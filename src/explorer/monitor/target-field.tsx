// In charge of choosing what a monitor measures: found by its name, as one types.

import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { Problem } from '../parts/problem.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { type MonitorTarget, TargetsToMonitor } from './new.graphql';

interface TargetFieldProps {
  readonly target: MonitorTarget | null;
  readonly choose: (target: MonitorTarget | null) => void;
}

/** What is chosen, or the field that finds it. */
export function TargetField({ target, choose }: TargetFieldProps) {
  if (target) {
    return (
      <p className="chosen">
        <Chip kind={target.kind} />
        <b>{target.titleFull}</b>
        <button type="button" onClick={() => choose(null)}>
          {words.targetChange}
        </button>
      </p>
    );
  }
  return <Finding choose={choose} />;
}

function Finding({ choose }: Pick<TargetFieldProps, 'choose'>) {
  const [query, setQuery] = useState('');
  const wanted = query.trim();
  const { data, error } = useAnswer(
    TargetsToMonitor,
    { query: wanted },
    { isKept: true, isWanted: wanted !== '' },
  );
  const found = wanted === '' ? [] : (data?.search.nodes ?? []);
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
      {error && <Problem error={error} />}
      {wanted !== '' && data && found.length === 0 && <p className="quiet">{words.targetNone}</p>}
      <ul className="rows">
        {found.map(({ resource }) => (
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
    </>
  );
}
