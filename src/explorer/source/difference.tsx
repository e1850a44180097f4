// Difference that an upload makes or would make: counts by kind, and problems.

import { fieldTitle } from '../words/names/activities.ts';
import { sourceWords as words } from '../words/sources.ts';
import { kindName, number } from '../words.ts';
import type { Difference } from './page.graphql';

/** As many changes are seen at once; more on demand. */
const fewChanges = 20;

/** The difference. */
export function DifferenceTable({
  difference,
  isDone,
}: {
  difference: Difference;
  isDone: boolean;
}) {
  const { ignored, problems, taken } = difference;
  const rows = rowsOf(difference);
  const changes = rows.reduce((sum, row) => sum + row.created + row.updated + row.staled, 0);
  return (
    <div role="status">
      <h3>{isDone ? words.didChange : words.wouldChange}</h3>
      {changes === 0 && <p>{words.nothing}</p>}
      {rows.length > 0 && (
        <table className="figures">
          <thead>
            <tr>
              <td />
              <th scope="col">{words.created}</th>
              <th scope="col">{words.updated}</th>
              <th scope="col">{words.staled}</th>
              <th scope="col">{words.unchanged}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, created, updated, staled, unchanged }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{number(created)}</td>
                <td>{number(updated)}</td>
                <td>{number(staled)}</td>
                <td>{number(unchanged)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Changes difference={difference} />
      {taken.count > 0 && <p className="wrong">{words.taken(taken.count)}</p>}
      {ignored.length > 0 && (
        <p className="quiet">
          {words.ignored(ignored.map(({ sort, count }) => `${number(count)} ${sort}`).join(', '))}
        </p>
      )}
      {problems.length > 0 && (
        <>
          <h3>{words.problems}</h3>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const tones = {
  ...{ created: 'good', updated: '', staled: 'warning' },
  ...{ claimed: 'good', left: 'warning', merged: 'good' },
};

/** What changes, by what it is a change of; nothing where there is none of it. */
export function rowsOf(difference: Difference) {
  const { lineage, tests, monitors } = difference;
  return [
    { name: words.resources, ...difference },
    { name: words.lineage, ...lineage, updated: 0, staled: lineage.ended },
    { name: words.tests, ...tests },
    { name: words.monitors, ...monitors, staled: monitors.removed },
  ].filter(({ created, updated, staled, unchanged }) => created + updated + staled + unchanged > 0);
}

/** What changes, one by one, as far as the server lists it. */
function Changes({ difference }: { difference: Difference }) {
  const { created, updated, staled, changes } = difference;
  const more = created + updated + staled - changes.length;
  if (changes.length === 0) return null;
  return (
    <details open={changes.length <= fewChanges}>
      <summary>{words.oneByOne}</summary>
      <ul className="plain">
        {changes.map(({ action, kind, title, fields }) => (
          <li key={`${action} ${kind} ${title}`}>
            <span className={`badge ${tones[action]}`}>{words.actions[action]}</span>{' '}
            <span className="quiet">{kindName(kind)}</span> {title}{' '}
            {fields.length > 0 && (
              <span className="quiet">({fields.map(fieldTitle).join(', ')})</span>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="quiet">{words.moreChanges(more)}</p>}
    </details>
  );
}
