// The list of what was found, to be walked with the arrow keys.

import { type KeyboardEvent, useRef } from 'react';
import { Link } from 'wouter';
import { Badges } from '../parts/badges.tsx';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { kindName, words } from '../words.ts';
import { Marked } from './marked.tsx';
import type { Hit } from './page.graphql';

/** A pointer that only passes changes nothing. */
const restMs = 150;

interface HitsProps {
  readonly hits: readonly Hit[];
  /** The one that is looked at; null where none is. */
  readonly looked: string | null;
  readonly look: (id: string) => void;
}

/** The results, the best first; the keyboard and a pointer that rests lead to what is looked at. */
export function Hits({ hits, looked, look }: HitsProps) {
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <ol className="hits" onKeyDown={walk} onPointerLeave={() => clearTimeout(resting.current)}>
      {hits.map((hit) => (
        <li
          key={hit.resource.id}
          data-looked={hit.resource.id === looked || undefined}
          onFocus={() => look(hit.resource.id)}
          onPointerEnter={() => {
            clearTimeout(resting.current);
            resting.current = setTimeout(look, restMs, hit.resource.id);
          }}
        >
          <HitRow hit={hit} />
        </li>
      ))}
    </ol>
  );
}

function HitRow({ hit: { resource, highlights, matchedFields } }: { hit: Hit }) {
  const title = highlights.find(({ field }) => field === 'title');
  const text = highlights.find(({ field }) => field !== 'title');
  const uses = resource.totalUsage;
  const [kind, place] = [kindName(resource.kind), placeOf(resource)];
  // What is marked shows itself where it was found.
  const isElsewhere = highlights.length === 0 && matchedFields.length > 0;
  return (
    <Link className="hit" href={`/resource/${resource.id}`} data-hit>
      <Chip kind={resource.kind} />
      <span>
        <b>{title ? <Marked piece={title} /> : resource.title}</b> <Badges of={resource} />
        <small>
          {kind}
          {place !== kind && ` · ${place}`}
          {uses > 0 && ` · ${words.search.uses(uses)}`}
          {resource.owners.length > 0 && ` · ${resource.owners.map(({ name }) => name).join(', ')}`}
          {isElsewhere && ` · ${words.search.foundIn(matchedFields.join(', '))}`}
        </small>
        {(text || resource.description) && (
          <span className="piece">
            {text ? <Marked piece={text} isMarkdown /> : resource.description}
          </span>
        )}
      </span>
    </Link>
  );
}

/** Up and down lead from result to result, and above the first back to the field. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-hit]')];
  const here = event.target instanceof HTMLElement ? all.indexOf(event.target) : -1;
  const at = here + step;
  event.preventDefault();
  if (at < 0) document.querySelector<HTMLElement>('.find input')?.focus();
  else all[at]?.focus();
}
