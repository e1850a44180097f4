// Uploads for a source: a preview of the changes, then the changes.

import { useState } from 'react';
import { Refused } from '../asking/operation.ts';
import { useAct } from '../asking/use-answer.ts';
import { JobList } from '../jobs/list.graphql';
import { Copy } from '../parts/copy.tsx';
import { Problem } from '../parts/problem.tsx';
import { sourceWords as words } from '../words/sources.ts';
import { words as common } from '../words.ts';
import { DifferenceTable } from './difference.tsx';
import { type FileName, type Format, filesOf, formatsOf } from './formats.ts';
import { type Difference, SourcePage } from './page.graphql';
import type { SourceThere } from './shown.ts';
import { type Files, sizeOf, upload } from './uploading.ts';

/** What a request may hold, less what else is in it. */
const mostBytes = 950_000;

/** The steps: choose files, see the difference, apply it. */
export function Upload({ id, fedBy }: Pick<SourceThere, 'id' | 'fedBy'>) {
  const formats = formatsOf[fedBy];
  const [format, setFormat] = useState<Format>(formats[0] ?? 'csv');
  const [files, setFiles] = useState<Files>({});
  const [stale, setStale] = useState(true);
  const send = useAct<{ dryRun: boolean; force: boolean }, Difference>(
    (how) => upload(id, format, files, { ...how, stale }),
    [JobList, SourcePage],
  );
  const { data, error, variables, isPending, reset } = send;
  const change = (next: Files) => {
    setFiles(next);
    reset();
  };
  const size = sizeOf(files);
  const isTooLarge = size > mostBytes;
  const isLooked = data !== undefined && variables?.dryRun === true;
  // A refusal to empty the source is one to be sure about, and not the end.
  const mayForce = error instanceof Refused && error.code === 'CONFLICT';
  return (
    <section className="sheet doing">
      <h2>{words.uploadTitle}</h2>
      {formats.length > 1 && (
        <fieldset className="tabs">
          <legend className="spoken">{words.uploadFormat}</legend>
          {formats.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === format}
              onClick={() => {
                setFormat(one);
                change({});
              }}
            >
              {words.uploadKinds[one]}
            </button>
          ))}
        </fieldset>
      )}
      {filesOf(format).map((name) => (
        <FileField
          key={`${format} ${name}`}
          name={name}
          set={(text) => change({ ...files, [name]: text })}
        />
      ))}
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
      {isTooLarge && <TooLarge id={id} format={format} size={size} />}
      {error && <Problem error={error} />}
      {data && <DifferenceTable difference={data} isDone={!isLooked} />}
      <div className="acts">
        <button
          type="button"
          className={isLooked ? '' : 'main'}
          disabled={size === 0 || isTooLarge || isPending}
          onClick={() => send.mutate({ dryRun: true, force: mayForce })}
        >
          {isPending && variables?.dryRun ? words.looking : words.look}
        </button>
        {isLooked && (
          <button
            type="button"
            className="main"
            disabled={isPending}
            onClick={() => send.mutate({ dryRun: false, force: variables?.force ?? false })}
          >
            {words.apply}
          </button>
        )}
        {mayForce && (
          <button
            type="button"
            onClick={() => send.mutate({ dryRun: variables?.dryRun ?? true, force: true })}
          >
            {variables?.dryRun === false ? words.applyAnyway : words.look}
          </button>
        )}
        {isPending && variables?.dryRun === false && <span role="status">{words.applying}</span>}
      </div>
    </section>
  );
}

function FileField({ name, set }: { name: FileName; set: (text: string) => void }) {
  return (
    <label className="choice">
      <span>{words.uploadFiles[name]}</span>
      <input
        type="file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void file.text().then(set);
          else set('');
        }}
      />
    </label>
  );
}

/** The same over REST, which takes files of any size: the end of the address, and the names of the files. */
const rest: Readonly<Record<Format, { path: string; files: readonly string[] }>> = {
  csv: { path: 'integration/integrations/ID/import_metadata', files: ['file=@tables.csv'] },
  jsonl: {
    path: 'integration/integrations/ID/import_jsonl_metadata',
    files: ['resources_file=@resources.jsonl', 'lineages_file=@lineage.jsonl'],
  },
  artifacts: {
    path: 'integration/transform/ID/upload_artifacts/',
    files: ['manifest=@manifest.json', 'run_results=@run_results.json', 'catalog=@catalog.json'],
  },
};

/** What to do with files that a page can't send. */
function TooLarge({ id, format, size }: { id: string; format: Format; size: number }) {
  const { path, files } = rest[format];
  const command = [
    `curl -H "Authorization: Bearer $KEY"`,
    ...files.map((file) => `-F ${file}`),
    `'${location.origin}/api/v1/${path.replace('ID', id)}'`,
  ].join(' \\\n  ');
  return (
    <div className="warned" role="status">
      <p>{words.tooLarge(Math.round(size / 100_000) / 10)}</p>
      <pre>{command}</pre>
      <Copy label={common.resource.copy} text={command} />
    </div>
  );
}
