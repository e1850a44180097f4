// The picture as steps: what comes before its subject, and what comes after it, the nearest next to it.

import { Link } from 'wouter';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { lineageWords as words } from '../words/lineage.ts';
import type { Card, Direction, Model } from './model.ts';
import { traceOf } from './trace.ts';

interface StepsListProps {
  readonly model: Model;
  /** What the picture is of. */
  readonly subject: string;
  /** The card or column whose path is lit; an empty text for none. */
  readonly chosen: string;
}

/** The two lists, and the subject between them. */
export function StepsList({ model, subject, chosen }: StepsListProps) {
  const lit = chosen === '' ? null : traceOf(chosen, model).ids;
  const cards = [...model.all.values()].filter(({ resource }) => resource.id !== subject);
  const on = (side: Direction) => cards.filter(({ direction }) => isOn(direction, side));
  const own = model.all.get(subject);
  return (
    <div className="lines steps-list">
      <Side
        title={words.upstream}
        cards={on('UPSTREAM').toSorted((a, b) => b.depth - a.depth)}
        lit={lit}
      />
      {own && (
        <ul className="rows subject">
          <Step card={own} lit={lit} />
        </ul>
      )}
      <Side
        title={words.downstream}
        cards={on('DOWNSTREAM').toSorted((a, b) => a.depth - b.depth)}
        lit={lit}
      />
    </div>
  );
}

function isOn(direction: Direction | null, side: Direction): boolean {
  return direction === side || direction === 'BOTH';
}

interface SideProps {
  readonly title: string;
  readonly cards: readonly Card[];
  readonly lit: ReadonlySet<string> | null;
}

function Side({ title, cards, lit }: SideProps) {
  return (
    <section>
      <h2>
        {title} <span className="quiet">{cards.length}</span>
      </h2>
      {cards.length === 0 && <p className="quiet">{words.noneThere}</p>}
      <ul className="rows">
        {cards.map((card) => (
          <Step key={card.resource.id} card={card} lit={lit} />
        ))}
      </ul>
    </section>
  );
}

interface StepProps {
  readonly card: Card;
  readonly lit: ReadonlySet<string> | null;
}

/** One resource, with its columns that are on the path. */
function Step({ card: { resource, depth, rows }, lit }: StepProps) {
  const onPath = lit ? rows.filter(({ id }) => lit.has(id)).map(({ title }) => title) : [];
  return (
    <li>
      <Link className="row" href={`/lineage/${resource.id}`}>
        <Chip kind={resource.kind} />
        <span>
          <b dir="auto">{resource.title}</b>
          <small>{onPath.length > 0 ? onPath.join(', ') : placeOf(resource)}</small>
        </span>
        {depth > 0 && <small className="quiet">{words.stepsAway(depth)}</small>}
      </Link>
    </li>
  );
}
