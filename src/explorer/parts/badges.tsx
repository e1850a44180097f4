// Badges of a resource: deprecated, verified, stale, personal data, incidents.

import { deprecationWords } from '../words/resource.ts';
import { words } from '../words.ts';

interface State {
  readonly verified: boolean;
  readonly stale: boolean;
  readonly pii: boolean;
  readonly archived?: boolean;
  readonly deprecation: Deprecated | null;
  readonly openIncidents: readonly unknown[];
}

/** The words that hold for a resource; nothing where none does. */
export function Badges({ of }: { of: State }) {
  const incidents = of.openIncidents.length;
  return (
    <>
      {incidents > 0 && <span className="badge alarm">{words.incidents(incidents)}</span>}
      {of.archived === true && <span className="badge alarm">{words.archived}</span>}
      <DeprecatedMark of={of.deprecation} />
      {of.stale && (
        <span className="badge warning" title={words.staleMeans}>
          {words.stale}
        </span>
      )}
      {of.verified && <span className="badge good">{words.verified}</span>}
      {of.pii && <span className="badge">{words.pii}</span>}
    </>
  );
}

/** What a list knows of a deprecation. */
export interface Deprecated {
  readonly successor: { readonly title: string } | null;
}

/** The word; nothing where it is not deprecated. */
export function DeprecatedMark({ of }: { of: Deprecated | null | undefined }) {
  if (!of) return null;
  return (
    <span className="badge warning" title={deprecationWords.replacedBy(of.successor?.title)}>
      {deprecationWords.mark}
    </span>
  );
}
