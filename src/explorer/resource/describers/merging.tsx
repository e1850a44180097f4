// Says that another resource is the same as this one: it is merged into it.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { useAct } from '../../asking/use-answer.ts';
import { ChooseResource } from '../../parts/choosing/choose.tsx';
import { placeOf } from '../../parts/link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Sure } from '../../parts/sure.tsx';
import { describerWords as words } from '../../words/addresses.ts';
import { ResourcePage } from '../page.graphql';
import type { ResourceShown } from '../shown.ts';
import { MergeInto, PlacedFound, type PlacedFoundData } from './merging.graphql';

/** What an address tells apart; columns are merged with their tables. */
const mergeable: readonly string[] = ['database', 'schema', 'table'];

type Other = PlacedFoundData['search']['nodes'][number]['resource'];

/** The picker and the button, for those who may change the resource. */
export function Merging({ resource }: { resource: ResourceShown }) {
  const { id, kind, currentUserPermissions } = resource;
  const [other, setOther] = useState<Other | null>(null);
  const merge = useAct(
    (dryRun: boolean) => ask(MergeInto, { keep: id, merge: other?.id ?? '', dryRun }),
    [ResourcePage],
  );
  if (!mergeable.includes(kind) || !currentUserPermissions.write) return null;
  const choose = (next: Other | null) => {
    setOther(next);
    merge.reset();
  };
  const act = () =>
    merge.mutate(false, {
      onSuccess: () => setOther(null),
    });
  return (
    <details>
      <summary>{words.same}</summary>
      <div className="doing">
        <ChooseResource
          operation={PlacedFound}
          label={words.sameLabel}
          placeholder={words.samePlaceholder}
          hint={words.sameHint}
          without={[id]}
          says={(found) => [placeOf(found), found.integration?.name].filter(Boolean).join(' · ')}
          value={other && { id: other.id, name: other.titleFull }}
          choose={choose}
        />
        {other && (
          <Sure
            label={words.merge}
            of={other.titleFull}
            means={words.mergeMeans(other.title)}
            isBusy={merge.isPending}
            act={act}
          />
        )}
        {merge.error && <Problem error={merge.error} />}
        {merge.isSuccess && <p role="status">{words.merged}</p>}
      </div>
    </details>
  );
}
