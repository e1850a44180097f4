// The impact page: a query that fills a table, or a project's manifest.

import { useAddress } from '../asking/address.ts';
import { useMay } from '../asking/viewer.ts';
import { Page } from '../parts/page.tsx';
import { impactWords as words } from '../words/impact.ts';
import { OfManifest } from './of-manifest.tsx';
import { OfSql } from './of-sql.tsx';

const kinds = ['sql', 'manifest'] as const;

/** The page. */
export function ImpactPage() {
  const view = useAddress();
  // Projects are compared by the one who may see them.
  const mayCompare = useMay('read_integrations');
  const kind = mayCompare && view.one('of') === 'manifest' ? 'manifest' : 'sql';
  return (
    <Page title={words.title}>
      {mayCompare && (
        <fieldset className="tabs above">
          <legend className="spoken">{words.what}</legend>
          {kinds.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === kind}
              onClick={() => view.change({ of: one === 'sql' ? null : one })}
            >
              {words.kinds[one]}
            </button>
          ))}
        </fieldset>
      )}
      {kind === 'sql' ? <OfSql /> : <OfManifest />}
    </Page>
  );
}
