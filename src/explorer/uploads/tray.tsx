// The tray: uploads of this tab and their jobs, in a corner of every page.

import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { cameOf, changedBy } from '../jobs/came.ts';
import { CancelIt } from '../jobs/cancel.tsx';
import { jobWords } from '../words/jobs/jobs.ts';
import { uploadWords as words } from '../words/jobs/uploads.ts';
import { megabytes } from './megabytes.ts';
import { cancelSending, forgetUpload, type UploadInTray } from './store.ts';
import { UploadJob } from './tray.graphql';

/** The tray with its uploads. */
export function Tray({ uploads }: { uploads: readonly UploadInTray[] }) {
  const [isFolded, setFolded] = useState(false);
  const running = uploads.filter(({ state }) => state === 'sending').length;
  return (
    <section className="tray" aria-label={words.tray}>
      <h2>
        <button type="button" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
          {running > 0 ? words.running(running) : words.tray}
        </button>
      </h2>
      {!isFolded && (
        <ul>
          {uploads.map((upload) => (
            <li key={upload.id}>
              <Entry upload={upload} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Entry({ upload }: { upload: UploadInTray }) {
  const { id, title, source, sent, size, state, jobId, error } = upload;
  return (
    <>
      <p>
        <b>{title}</b> {words.to(source)}
      </p>
      {state === 'sending' && (
        <p className="acts">
          <progress aria-label={title} value={sent} max={size} />
          <span className="quiet">{words.sent(megabytes(sent), megabytes(size))}</span>
          <button type="button" onClick={() => cancelSending(id)}>
            {words.cancel}
          </button>
        </p>
      )}
      {state === 'failed' && (
        <p className="wrong" role="alert">
          {error}
        </p>
      )}
      {state === 'job' && jobId && <Job id={jobId} title={title} />}
      {state !== 'sending' && (
        <button type="button" onClick={() => forgetUpload(id)}>
          {words.dismiss}
          <span className="spoken"> {title}</span>
        </button>
      )}
    </>
  );
}

const againMs = 1_000;

/** The job that reads what arrived. */
function Job({ id, title }: { id: string; title: string }) {
  const { data } = useAnswer(
    UploadJob,
    { id },
    { again: (now) => (isOver(now?.job?.state) ? false : againMs) },
  );
  const job = data?.job;
  if (!job) return null;
  const { state, progressDone, progressTotal, progressStep, result, lastError } = job;
  if (!isOver(state)) {
    return (
      <p className="acts">
        <progress
          aria-label={title}
          {...(progressTotal ? { value: progressDone, max: progressTotal } : {})}
        />
        <span className="quiet">{progressStep ?? words.reading}</span>
        <CancelIt job={job} renewed={[UploadJob]} />
      </p>
    );
  }
  return (
    <p role="status" className={state === 'succeeded' ? '' : 'wrong'}>
      {state === 'succeeded'
        ? [words.imported, cameOf(result), changedBy(result)]
            .filter((one) => one !== '')
            .join(' · ')
        : lastError || jobWords.states[state]}
    </p>
  );
}

function isOver(state: string | undefined): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled';
}
