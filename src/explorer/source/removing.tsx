// In charge of deleting a source, with all that came from it.

import { useLocation } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-act.ts';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { SourceList } from '../sources/page.graphql';
import { sourceWords as words } from '../words/sources.ts';
import { DeleteSource } from './page.graphql';
import type { SourceThere } from './shown.ts';

/** The button; to be shown only to who may use it. */
export function Removing({ source: { id, version, name } }: { source: SourceThere }) {
  const [, navigate] = useLocation();
  const remove = useAct(async () => {
    await ask(DeleteSource, { id, version });
    navigate('/imports');
  }, [SourceList]);
  return (
    <section>
      <Sure
        label={words.remove}
        of={name}
        means={words.removeMeans}
        isBusy={remove.isPending}
        act={() => remove.mutate()}
      />
      {remove.error && <Problem error={remove.error} />}
    </section>
  );
}
