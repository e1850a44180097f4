// The upload of files for a source: its difference first, and then the import, which goes on in the tray.

import { useState } from 'react';
import { useAct } from '../asking/use-answer.ts';
import { JobList } from '../jobs/list.graphql';
import { Problem } from '../parts/problem.tsx';
import { megabytes } from '../uploads/megabytes.ts';
import { sendFiles } from '../uploads/send-files.ts';
import { beginUpload } from '../uploads/store.ts';
import { uploadWords as words } from '../words/jobs/uploads.ts';
import { CommandLine } from './command-line.tsx';
import { DifferenceTable, rowsOf } from './difference.tsx';
import { readDifference } from './difference-read.ts';
import { DropField } from './drop-field.tsx';
import { type ChosenFile, pathOf, withFiles } from './formats.ts';
import type { Difference } from './page.graphql';
import type { SourceThere } from './shown.ts';

/** How the server says that most of the source would be gone: one to be sure about, and not the end. */
const refusal = /^It would be refused without force/;

/** The steps: choose files, see the difference, import it. */
export function Upload({ source }: { source: SourceThere }) {
  const { id, name, fedBy } = source;
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [stale, setStale] = useState(true);
  const [sent, setSent] = useState(0);
  const [isBegun, setBegun] = useState(false);
  const [first] = files;
  const pathFor = (how: Readonly<Record<string, string>>) =>
    `${pathOf(id, first?.field ?? 'file')}?${new URLSearchParams({ stale: String(stale), ...how })}`;
  const parts = files.map(({ field, file }) => [field, file] as const);
  const preview = useAct<void, Difference>(async () => {
    setSent(0);
    const path = pathFor({ dry_run: 'true' });
    return readDifference(await sendFiles(path, parts, setSent).answer);
  }, [JobList]);
  const { data, error, isPending, reset } = preview;
  const isAnyway = data?.problems.some((problem) => refusal.test(problem)) ?? false;
  const choose = (next: readonly ChosenFile[]) => {
    setFiles(next);
    setBegun(false);
    reset();
  };
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  const begin = () => {
    beginUpload({
      ...{ title: files.map(({ file }) => file.name).join(', '), source: name, files: parts },
      path: pathFor({ async: 'true', force: String(isAnyway) }),
    });
    choose([]);
    setBegun(true);
  };
  return (
    <section className="sheet doing">
      <h2>{words.title}</h2>
      <DropField fedBy={fedBy} add={(added) => choose(withFiles(files, added))} />
      <FileList files={files} set={choose} />
      <label className="radio">
        <input
          type="checkbox"
          checked={stale}
          onChange={({ currentTarget }) => {
            setStale(currentTarget.checked);
            reset();
          }}
        />
        {words.stale}
      </label>
      {error && <Problem error={error} />}
      {data && <DifferenceTable difference={data} isDone={false} />}
      {files.length > 0 && (
        <div className="acts">
          {data ? (
            <button type="button" className="main" onClick={begin}>
              {isAnyway ? words.anyway : words.import(changesIn(data))}
            </button>
          ) : (
            <button
              type="button"
              className="main"
              disabled={isPending}
              onClick={() => preview.mutate()}
            >
              {isPending ? progressOf(sent, size) : words.preview}
            </button>
          )}
          <button type="button" onClick={() => choose([])}>
            {words.discard}
          </button>
          <span className="quiet">{words.onlyThen}</span>
        </div>
      )}
      {isBegun && <p role="status">{words.begun}</p>}
      <CommandLine id={id} fedBy={fedBy} />
    </section>
  );
}

interface FileListProps {
  readonly files: readonly ChosenFile[];
  readonly set: (files: readonly ChosenFile[]) => void;
}

function FileList({ files, set }: FileListProps) {
  if (files.length === 0) return null;
  return (
    <ul className="plain">
      {files.map(({ field, file }) => (
        <li key={`${field} ${file.name}`}>
          <b>{file.name}</b>{' '}
          <span className="quiet">
            {words.names[field]} · {megabytes(file.size)}
          </span>{' '}
          <button
            type="button"
            aria-label={words.remove(file.name)}
            onClick={() => set(files.filter((one) => one.file !== file))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How far the files are, or that they are there and read. */
function progressOf(sent: number, size: number): string {
  return sent < size ? words.sending(Math.floor((sent / size) * 100)) : words.reading;
}

/** How many resources, edges, tests and monitors an import would change. */
function changesIn(difference: Difference): number {
  return rowsOf(difference).reduce(
    (sum, { created, updated, staled }) => sum + created + updated + staled,
    0,
  );
}
