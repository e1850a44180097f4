// The button that cancels a job.

import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { Problem } from '../parts/problem.tsx';
import { jobWords as words } from '../words/jobs/jobs.ts';
import { CancelJob, type JobRow } from './list.graphql';

interface CancelItProps {
  readonly job: Pick<JobRow, 'id' | 'userId' | 'cancelRequested'>;
  /** Operations whose answers are out of date then. */
  readonly renewed: Parameters<typeof useAct>[1];
}

/** To be cancelled by the one who may: who started it, or who may cancel all. */
export function CancelIt({ job: { id, userId, cancelRequested }, renewed }: CancelItProps) {
  const viewer = useViewer();
  const mayCancelAll = useMay('cancel_others_jobs');
  const cancel = useAct(() => ask(CancelJob, { id }), renewed);
  if (!mayCancelAll && userId !== viewer?.id) return null;
  return (
    <>
      <button
        type="button"
        disabled={cancelRequested || cancel.isPending}
        onClick={() => cancel.mutate()}
      >
        {cancelRequested ? words.cancelling : words.cancel}
      </button>
      {cancel.error && <Problem error={cancel.error} />}
    </>
  );
}
