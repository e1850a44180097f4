// In charge of deleting a monitor.

import { useLocation } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-act.ts';
import { MonitorList } from '../monitors/page.graphql';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { DeleteMonitor } from './page.graphql';
import type { MonitorThere } from './shown.ts';

/** The button; to be shown only to who may use it. */
export function Removing({ monitor: { id, version, name } }: { monitor: MonitorThere }) {
  const [, navigate] = useLocation();
  const remove = useAct(async () => {
    await ask(DeleteMonitor, { id, version });
    navigate('/monitors');
  }, [MonitorList]);
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
