// The picture as a table: each line a row.

import { Link } from 'wouter';
import { lineageWords } from '../words/lineage.ts';
import { ChangeBadge } from './card-badges.tsx';
import { type Model, namedLines } from './model.ts';

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
                  <Link href={`/resource/${from.id}`}>{from.name}</Link>
                </td>
                <td>
                  <Link href={`/resource/${to.id}`}>{to.name}</Link>
                </td>
                <td className="quiet">
                  {line.origin.toLowerCase().replaceAll('_', ' ')}
                  {line.isIndirect && `; ${lineageWords.decides(line.uses)}`}{' '}
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
