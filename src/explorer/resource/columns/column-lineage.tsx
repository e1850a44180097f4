// Upstream and downstream counts of each column, linked to the lineage picture.

import { Link } from 'wouter';
import { useAnswer } from '../../asking/use-answer.ts';
import { lineageOfColumn } from '../../lineage/of-column.ts';
import { number, words } from '../../words.ts';
import { ColumnLineage, type ColumnLineageData } from '../page.graphql';

/** A description that a column may take over from the one that it is made from. */
export interface Suggestion {
  readonly id: string;
  readonly from: string;
  readonly description: string;
}

interface Side {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly suggestion: Suggestion | null;
}

/** The columns on both sides of each column, by its id: their full names. */
export type Sides = ReadonlyMap<string, Side>;

/** What the columns of a table are connected with, and whether there is more; empty until the server has said so. */
export function useColumnLineage(tableId: string): { sides: Sides; isCut: boolean } {
  const { data } = useAnswer(ColumnLineage, { id: tableId });
  const sides = new Map<string, Side>();
  const found = new Map(data?.lineage?.nodes.map(({ resource }) => [resource.id, resource]));
  const of = (id: string): Side => sides.get(id) ?? { from: [], to: [], suggestion: null };
  for (const { sourceId, targetId } of data?.lineage?.edges ?? []) {
    const [source, target] = [found.get(sourceId), found.get(targetId)];
    const into = of(targetId);
    const suggestion = into.suggestion ?? suggestionOf(source);
    sides.set(targetId, { ...into, from: [...into.from, source?.titleFull ?? ''], suggestion });
    const out = of(sourceId);
    sides.set(sourceId, { ...out, to: [...out.to, target?.titleFull ?? ''] });
  }
  return { sides, isCut: /^(maxNodes|size|time)/.test(data?.lineage?.truncatedReason ?? '') };
}

type Upstream = NonNullable<ColumnLineageData['lineage']>['nodes'][number]['resource'];

function suggestionOf(source: Upstream | undefined): Suggestion | null {
  if (!source?.description) return null;
  return { id: source.id, from: source.titleFull, description: source.description };
}

/** Names that are read out at most. */
const mostNamed = 10;

interface ColumnSidesProps {
  readonly id: string;
  readonly tableId: string;
  readonly sides: Sides;
}

/** Both sides of a column in numbers. */
export function ColumnSides({ id, tableId, sides }: ColumnSidesProps) {
  const { from = [], to = [] } = sides.get(id) ?? {};
  if (from.length + to.length === 0) return null;
  const named = (names: readonly string[]) => names.slice(0, mostNamed).join(', ');
  const said = [
    ...(from.length > 0 ? [words.resource.madeFrom(from.length, named(from))] : []),
    ...(to.length > 0 ? [words.resource.usedBy(to.length, named(to))] : []),
  ].join('; ');
  return (
    <Link className="sides-of" href={lineageOfColumn(tableId, id)} title={said}>
      <span className="from" aria-hidden="true">
        {from.length > 0 && `← ${number(from.length)}`}
      </span>
      <span aria-hidden="true">{to.length > 0 && `${number(to.length)} →`}</span>
      <span className="spoken">{said}</span>
    </Link>
  );
}
