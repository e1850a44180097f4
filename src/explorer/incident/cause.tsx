// The incidents of one cause, as a tree along the lineage.

import { Link } from 'wouter';
import { Status } from '../parts/status.tsx';
import { incidentWords as words } from '../words/quality.ts';
import type { IncidentThere } from './shown.ts';

type One = IncidentThere['thread'][number];

/** The tree; nothing where an incident is alone. */
export function Cause({ incident: { id, thread } }: { incident: IncidentThere }) {
  if (thread.length === 0) return null;
  const there = new Set(thread.map((one) => one.id));
  const isFirst = ({ causeId }: One) => causeId === null || !there.has(causeId);
  return (
    <section className="sheet">
      <h2>{words.oneCause}</h2>
      <Level of={thread.filter(isFirst)} thread={thread} here={id} />
    </section>
  );
}

interface LevelProps {
  readonly of: readonly One[];
  readonly thread: readonly One[];
  /** The incident whose page it is. */
  readonly here: string;
}

function Level({ of, thread, here }: LevelProps) {
  return (
    <ul>
      {of.map((one) => {
        const joined = thread.filter(({ causeId }) => causeId === one.id);
        return (
          <li key={one.id}>
            {one.id === here ? (
              <b>{one.name}</b>
            ) : (
              <Link href={`/incidents/${one.id}`}>{one.name}</Link>
            )}{' '}
            <Status of={one.status} />
            <br />
            <span className="quiet">{one.summary}</span>
            {joined.length > 0 && <Level of={joined} thread={thread} here={here} />}
          </li>
        );
      })}
    </ul>
  );
}
