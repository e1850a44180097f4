// In charge of what an upload changes, or would change: counts by what it is about, and what is odd about it.

import { sourceWords as words } from '../words/sources.ts';
import { number } from '../words.ts';
import type { Difference } from './page.graphql';

/** The difference. */
export function DifferenceTable({
  difference,
  isDone,
}: {
  difference: Difference;
  isDone: boolean;
}) {
  const { lineage, tests, monitors, problems, taken } = difference;
  const rows = [
    { name: words.resources, ...difference },
    { name: words.lineage, ...lineage, updated: 0, staled: lineage.ended },
    { name: words.tests, ...tests },
    { name: words.monitors, ...monitors, staled: monitors.removed },
  ].filter(({ created, updated, staled, unchanged }) => created + updated + staled + unchanged > 0);
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
      {taken.count > 0 && <p className="wrong">{words.taken(taken.count)}</p>}
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
