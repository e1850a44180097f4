// In charge of one resource in a list: its picture, its name and where it is, leading to its page.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { kindName } from '../words.ts';
import { Chip } from './icon.tsx';

/** What says where a resource lies. */
export interface Located {
  readonly titleFull: string;
  readonly kind: string;
}

interface Named extends Located {
  readonly id: string;
  readonly title: string;
}

/** Where a resource lies: its full name without its own. */
export function placeOf({ titleFull, kind }: Located): string {
  const above = titleFull.split('.').slice(0, -1).join(' › ');
  return above === '' ? kindName(kind) : above;
}

/** A row that leads to a resource. */
export function ResourceLink({ to, children }: { to: Named; children?: ReactNode }) {
  return (
    <Link className="row" href={`/resource/${to.id}`}>
      <Chip kind={to.kind} />
      <span>
        <b>{to.title}</b>
        <small>
          <span className="spoken">{kindName(to.kind)} </span>
          {placeOf(to)}
        </small>
      </span>
      {children}
    </Link>
  );
}
