// The picture as a table: each line a row.

import { Link } from 'wouter';
import { lineageWords } from '../words/lineage.ts';
import { ChangeBadge } from './card-badges.tsx';
import { type Model, type NamedEnd, namedLines } from './model.ts';

/** From, to, and how that is known. */
export function LinesTable({ model }: { model: Model }) {
  const lines = namedLines(model);
  return (
    <div className="lines">
      {lines.length === 0 && <p className="quiet">{lineageWords.alone}</p>}
      {lines.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{lineageWords.from}</th>
              <th>{lineageWords.to}</th>
              <th>{lineageWords.how}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line, from, to }) => (
              <tr key={line.id}>
                <td>
                  <End end={from} model={model} />
                </td>
                <td>
                  <End end={to} model={model} />
                </td>
                <td className="quiet">
                  {line.origin.toLowerCase().replaceAll('_', ' ')}
                  {line.isIndirect && `; ${lineageWords.decides(line.uses)}`}
                  {line.count > 1 && `; ${lineageWords.connections(line.count)}`}{' '}
                  <ChangeBadge change={line.change} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** What a line leads from or to: a card of several has no page. */
function End({ end: { id, name }, model }: { end: NamedEnd; model: Model }) {
  if (model.cards.get(id)?.bundle) return <>{name}</>;
  return <Link href={`/resource/${id}`}>{name}</Link>;
}
