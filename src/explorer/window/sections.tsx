// Sections of a page as tabs: links, so that a middle click and Back do what they do elsewhere.

import { Link } from 'wouter';
import { resourceWords as words } from '../words/resource.ts';
import { useChosenInSight } from './in-sight.ts';

interface Section {
  readonly id: string;
  readonly href: string;
  readonly name: string;
  /** How much is in it; null where that is not said. */
  readonly count: string | null;
}

/** The tabs; `shown` is the id of the one whose section is there. */
export function Sections({ of, shown }: { of: readonly Section[]; shown: string }) {
  const around = useChosenInSight<HTMLElement>(shown);
  return (
    <nav ref={around} className="sections" aria-label={words.sections}>
      {of.map(({ id, href, name, count }) => (
        <Link key={id} href={href} aria-current={id === shown ? 'page' : undefined}>
          {name}
          <small>{count}</small>
        </Link>
      ))}
    </nav>
  );
}
