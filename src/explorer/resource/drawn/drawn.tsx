// Lineage that people draw: edges by hand, and those of a query that somebody pastes.

import { type ReactNode, useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { ResourcesToChoose, type ResourceToChoose } from '../../asking/choices.graphql';
import { useUndoable } from '../../asking/undo.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import { useMay } from '../../asking/viewer.ts';
import { ChooseResource } from '../../parts/choosing/choose.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ResourceLink } from '../../parts/link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { drawnWords as words } from '../../words/drawn.ts';
import { ResourcePage } from '../page.graphql';
import { DrawEdge, DrawnEdges, type DrawnEdgesData, EraseEdge } from './drawn.graphql';
import { FromSql } from './from-sql.tsx';

interface DrawnProps {
  readonly resource: { readonly id: string; readonly kind: string; readonly title: string };
}

/** What was drawn, and the ways to draw more; nothing for those who may not. */
export function Drawn({ resource }: DrawnProps) {
  return useMay('edit_lineage') ? <Drawing resource={resource} /> : null;
}

function Drawing({ resource: { id, kind, title } }: DrawnProps) {
  const { data, error, refetch } = useAnswer(DrawnEdges, { id });
  const [isPasting, setPasting] = useState(false);
  const change = useUndoable([DrawnEdges, ResourcePage]);
  const draw = (fromId: string, toId: string, name: string) =>
    change.mutate({
      says: words.added(name),
      async act() {
        const { createLineage } = await ask(DrawEdge, { fromId, toId });
        const entry = createLineage?.id;
        return entry ? () => ask(EraseEdge, { id: entry }) : null;
      },
    });
  const erase = (entry: Entry, name: string) => {
    const ends =
      entry.direction === 'DOWNSTREAM'
        ? { fromId: id, toId: entry.to?.id ?? '' }
        : { fromId: entry.to?.id ?? '', toId: id };
    change.mutate({
      says: words.removed(name),
      async act() {
        await ask(EraseEdge, { id: entry.id });
        return () => ask(DrawEdge, ends);
      },
    });
  };
  const nodes = data?.lineageEntries.nodes ?? [];
  return (
    <section className="sheet drawn">
      <h2>{words.title}</h2>
      {error && !data && <Problem error={error} again={() => void refetch()} />}
      {data && nodes.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="rows">
        {nodes.map((entry) => (
          <li key={entry.id}>
            {entry.to && (
              <ResourceLink to={entry.to} says={words.directions[entry.direction]}>
                {null}
              </ResourceLink>
            )}
            <button
              type="button"
              disabled={change.isPending}
              onClick={() => erase(entry, entry.to?.title ?? '')}
            >
              {words.remove}
              <span className="spoken"> {entry.to?.title}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="sides">
        <End label={words.addUpstream} without={id} choose={(one) => draw(one.id, id, one.title)} />
        <End
          label={words.addDownstream}
          without={id}
          choose={(one) => draw(id, one.id, one.title)}
        />
      </div>
      {change.error && <Problem error={change.error} />}
      {kind === 'table' && (
        <p className="below">
          <button type="button" onClick={() => setPasting(true)}>
            <Icon kind="query" /> {words.fromSql}
          </button>
        </p>
      )}
      {isPasting && <FromSql table={{ id, title }} close={() => setPasting(false)} />}
    </section>
  );
}

type Entry = DrawnEdgesData['lineageEntries']['nodes'][number];

interface EndProps {
  readonly label: string;
  readonly without: string;
  readonly choose: (found: ResourceToChoose) => void;
}

function End({ label, without, choose }: EndProps): ReactNode {
  return (
    <ChooseResource
      operation={ResourcesToChoose}
      label={label}
      placeholder={words.find}
      without={[without]}
      choose={(found) => found && choose(found)}
    />
  );
}
