// Upstream and downstream counts of each column, linked to the lineage picture.

import { Link } from 'wouter';
import { useAnswer } from '../../asking/use-answer.ts';
import { number, words } from '../../words.ts';
import { ColumnLineage } from '../page.graphql';

/** The columns on both sides of each column, by its id: their full names. */
export type Sides = ReadonlyMap<
  string,
  { readonly from: readonly string[]; readonly to: readonly string[] }
>;

/** What the columns of a table are connected with, and whether there is more; empty until the server has said so. */
export function useColumnLineage(tableId: string): { sides: Sides; isCut: boolean } {
  const { data } = useAnswer(ColumnLineage, { id: tableId });
  const sides = new Map<string, { from: string[]; to: string[] }>();
  const nameOf = new Map(
    data?.lineage?.nodes.map(({ resource }) => [resource.id, resource.titleFull]),
  );
  const of = (id: string) => {
    const known = sides.get(id) ?? { from: [], to: [] };
    sides.set(id, known);
    return known;
  };
  for (const { sourceId, targetId } of data?.lineage?.edges ?? []) {
    of(targetId).from.push(nameOf.get(sourceId) ?? '');
    of(sourceId).to.push(nameOf.get(targetId) ?? '');
  }
  return { sides, isCut: /^(maxNodes|size|time)/.test(data?.lineage?.truncatedReason ?? '') };
}

/** Names that are read out at most. */
const mostNamed = 10;

/** Both sides of a column in numbers. */
export function ColumnSides({ id, sides }: { id: string; sides: Sides }) {
  const { from = [], to = [] } = sides.get(id) ?? {};
  if (from.length + to.length === 0) return null;
  const named = (names: readonly string[]) => names.slice(0, mostNamed).join(', ');
  const said = [
    ...(from.length > 0 ? [words.resource.madeFrom(from.length, named(from))] : []),
    ...(to.length > 0 ? [words.resource.usedBy(to.length, named(to))] : []),
  ].join('; ');
  return (
    <Link className="sides-of" href={`/lineage/${id}?level=column`} title={said}>
      <span className="from" aria-hidden="true">
        {from.length > 0 && `← ${number(from.length)}`}
      </span>
      <span aria-hidden="true">{to.length > 0 && `${number(to.length)} →`}</span>
      <span className="spoken">{said}</span>
    </Link>
  );
}
