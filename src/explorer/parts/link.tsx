// One resource in a list: its picture, its name and where it is, leading to its page.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { kindName } from '../words.ts';
import { Chip } from './icon.tsx';

/** What says where a resource lies. */
export interface Located {
  readonly title: string;
  readonly titleFull: string;
  readonly kind: string;
}

interface Named extends Located {
  readonly id: string;
}

/** Where a resource lies: its full name without its own, in which a dot is a dot. */
export function placeOf({ title, titleFull, kind }: Located): string {
  const own = `.${title}`;
  if (!titleFull.endsWith(own)) return kindName(kind);
  return titleFull.slice(0, -own.length).replaceAll('.', ' › ');
}

interface ResourceLinkProps {
  readonly to: Named;
  /** What is said of it in place of where it lies. */
  readonly says?: string;
  readonly children?: ReactNode;
}

/** A row that leads to a resource. */
export function ResourceLink({ to, says = placeOf(to), children }: ResourceLinkProps) {
  return (
    <Link className="row" href={`/resource/${to.id}`}>
      <Chip kind={to.kind} />
      <span>
        <b>{to.title}</b>
        <small>
          <span className="spoken">{kindName(to.kind)} </span>
          {says}
        </small>
      </span>
      {children}
    </Link>
  );
}
