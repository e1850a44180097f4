// Import of an edited CSV: what differs is shown first, and then changed.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { browseWords as words } from '../words/browse.ts';
import { BrowseList, EditByCsv, type EditByCsvData } from './page.graphql';

type Result = EditByCsvData['updateResourcesFromCsv'];

/** Characters that one request takes. */
const mostCharacters = 900_000;
const mostShown = 200;

/** The file, what differs, and the button that changes it. */
export function CsvEdit() {
  useTitle(words.importCsv);
  const [content, setContent] = useState('');
  const trying = useAct(async (file: File) => {
    const text = await file.text();
    if (text.length > mostCharacters) throw new Error(words.fileTooLarge);
    setContent(text);
    const { updateResourcesFromCsv } = await ask(EditByCsv, { content: text, dryRun: true });
    return updateResourcesFromCsv;
  }, []);
  const importing = useAct(async () => {
    const { updateResourcesFromCsv } = await ask(EditByCsv, { content, dryRun: false });
    return updateResourcesFromCsv;
  }, [BrowseList]);
  const tried = trying.data;
  return (
    <>
      <h1>{words.importCsv}</h1>
      <p className="quiet">{words.importHow}</p>
      <label className="choice">
        <span>{words.file}</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ currentTarget: { files } }) => {
            importing.reset();
            const [file] = files ?? [];
            if (file) trying.mutate(file);
          }}
        />
      </label>
      {trying.error && <Problem error={trying.error} />}
      {importing.error && <Problem error={importing.error} />}
      <div role="status">
        {trying.isPending && <p className="quiet">{words.comparing}</p>}
        {importing.data && <p>{doneIn(importing.data)}</p>}
      </div>
      {tried && !importing.data && (
        <>
          <Differences result={tried} />
          {tried.updated > 0 || tried.job ? (
            <button
              type="button"
              className="main"
              disabled={importing.isPending}
              onClick={() => importing.mutate()}
            >
              {importing.isPending ? words.importing : words.importChanges(tried.matched)}
            </button>
          ) : null}
        </>
      )}
      {importing.data && <Failures result={importing.data} />}
    </>
  );
}

function doneIn({ updated, job }: Result): string {
  return job ? words.inJob : words.imported(updated);
}

function Differences({ result }: { result: Result }) {
  const { differences, matched, lines, ignoredColumns } = result;
  return (
    <section>
      <h2>{words.differences}</h2>
      <p>{words.differ(matched, lines)}</p>
      {ignoredColumns.length > 0 && (
        <p className="quiet">{words.ignored(ignoredColumns.join(', '))}</p>
      )}
      {differences.length > 0 && (
        <div className="browsed">
          <table>
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col">{words.column}</th>
                <th scope="col">{words.before}</th>
                <th scope="col">{words.after}</th>
              </tr>
            </thead>
            <tbody>
              {differences.slice(0, mostShown).map(({ id, titleFull, column, before, after }) => (
                <tr key={`${id} ${column}`}>
                  <td>
                    <Link href={`/resource/${id}`}>{titleFull}</Link>
                  </td>
                  <td>{column}</td>
                  <td>
                    <del>{before}</del>
                  </td>
                  <td>
                    <ins>{after}</ins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {differences.length > mostShown && (
        <p className="quiet">{words.showing(mostShown, differences.length)}</p>
      )}
      <Failures result={result} />
    </section>
  );
}

function Failures({ result: { failed } }: { result: Result }) {
  if (failed.length === 0) return null;
  return (
    <div className="problem" role="alert">
      <p>
        <b>{words.notChanged(failed.length)}</b>
      </p>
      <ul>
        {failed.slice(0, mostShown).map(({ id, message }) => (
          <li key={id}>
            <Link href={`/resource/${id}`}>{id}</Link>: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
