// Two resources of one name in one place: one click makes them one.

import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { ResourceLink } from '../parts/link.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { MergeInto } from '../resource/describers/merging.graphql';
import { addressWords as words } from '../words/addresses.ts';
import { SourceAddresses, type SourceAddressesData } from './page.graphql';

type Double = NonNullable<SourceAddressesData['integration']>['duplicates'][number];

/** The list, with a button each for those who may merge. */
export function Doubles({ list, mayMerge }: { list: readonly Double[]; mayMerge: boolean }) {
  return (
    <section className="sheet doing" aria-labelledby="doubles">
      <h2 id="doubles">{words.doubles}</h2>
      <p className="quiet">{words.doublesMean}</p>
      <ul className="plain">
        {list.map(
          ({ resource, other }) =>
            resource &&
            other && (
              <li key={other.id}>
                <ResourceLink to={resource} />
                <ResourceLink to={other} says={words.double} />
                {mayMerge && <Merge keep={resource.id} merge={other.id} of={other.titleFull} />}
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

function Merge({ keep, merge, of }: { keep: string; merge: string; of: string }) {
  const act = useAct(() => ask(MergeInto, { keep, merge, dryRun: false }), [SourceAddresses]);
  return (
    <>
      <Sure
        label={words.merge}
        of={of}
        means={words.mergeMeans}
        isBusy={act.isPending}
        act={() => act.mutate()}
      />
      {act.error && <Problem error={act.error} />}
    </>
  );
}
