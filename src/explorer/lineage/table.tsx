// The picture as a table: each line a row.

import { Link } from 'wouter';
import { lineageWords } from '../words/lineage.ts';
import { ChangeBadge } from './card-badges.tsx';
import type { Model } from './model.ts';

/** From, to, and how that is known. */
export function LinesTable({ model }: { model: Model }) {
  const { cards, lines } = model;
  const columns = new Map(
    [...cards.values()].flatMap(({ rows }) => rows.map(({ id, title }) => [id, title] as const)),
  );
  const name = (card: string, row: string | null) => {
    const full = cards.get(card)?.resource.titleFull ?? '';
    return row === null ? full : `${full}.${columns.get(row) ?? ''}`;
  };
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
            {lines.map(({ id, from, fromRow, to, toRow, origin, isIndirect, uses, change }) => (
              <tr key={id}>
                <td>
                  <Link href={`/resource/${fromRow ?? from}`}>{name(from, fromRow)}</Link>
                </td>
                <td>
                  <Link href={`/resource/${toRow ?? to}`}>{name(to, toRow)}</Link>
                </td>
                <td className="quiet">
                  {origin.toLowerCase().replaceAll('_', ' ')}
                  {isIndirect && `; ${lineageWords.decides(uses)}`} <ChangeBadge change={change} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
