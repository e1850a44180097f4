// The uploads of this tab: they go on while one looks at other pages.

import { Refused } from '../asking/operation.ts';
import { type Files, sendFiles } from './send-files.ts';

/** One upload: the files are on their way, or a job reads them, or they never arrived. */
export interface UploadInTray {
  readonly id: number;
  readonly title: string;
  readonly source: string;
  readonly sent: number;
  readonly size: number;
  readonly state: 'sending' | 'job' | 'failed';
  /** The job that reads the files, once they are there. */
  readonly jobId: string | null;
  readonly error: string;
}

const listeners = new Set<() => void>();
const cancels = new Map<number, () => void>();
let uploads: readonly UploadInTray[] = [];
let made = 0;

/** All uploads, the newest last. */
export function readUploads(): readonly UploadInTray[] {
  return uploads;
}

/** Call `listener` whenever they change; answers how to stop that. */
export function onUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function write(next: readonly UploadInTray[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function change(id: number, more: Partial<UploadInTray>): void {
  write(uploads.map((one) => (one.id === id ? { ...one, ...more } : one)));
}

interface Wanted {
  readonly title: string;
  /** The source that it feeds, by its name. */
  readonly source: string;
  readonly path: string;
  readonly files: Files;
}

/** Send files in the background: the server answers with a job as soon as they are there. */
export function beginUpload({ title, source, path, files }: Wanted): void {
  made += 1;
  const id = made;
  const size = files.reduce((sum, [, file]) => sum + file.size, 0);
  const begun = { id, title, source, size, sent: 0, state: 'sending', jobId: null, error: '' };
  write([...uploads, { ...begun, state: 'sending' }]);
  const sending = sendFiles(path, files, (sent) => change(id, { sent: Math.min(sent, size) }));
  cancels.set(id, sending.cancel);
  sending.answer
    .then((job) => change(id, { state: 'job', sent: size, jobId: idOf(job) }))
    .catch((error: unknown) => {
      if (error instanceof Refused && error.code === 'CANCELLED') forgetUpload(id);
      else
        change(id, {
          state: 'failed',
          error: String(error instanceof Error ? error.message : error),
        });
    })
    .finally(() => cancels.delete(id));
}

/** Stop sending; what has arrived is thrown away. */
export function cancelSending(id: number): void {
  cancels.get(id)?.();
}

/** Take an upload out of the tray. */
export function forgetUpload(id: number): void {
  write(uploads.filter((one) => one.id !== id));
}

function idOf(job: unknown): string | null {
  return typeof job === 'object' && job !== null && 'id' in job ? String(job.id) : null;
}

// Files that are on their way are lost with the tab; a job on the server is not.
addEventListener('beforeunload', (event) => {
  if (cancels.size > 0) event.preventDefault();
});
