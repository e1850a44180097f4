// Some rows of a table, read when somebody asks and kept nowhere.

import { ask } from '../../asking/ask.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Problem } from '../../parts/problem.tsx';
import { profileWords as words } from '../../words/profile.ts';
import { LookAtRows } from './profile.graphql';

/** The button, and what it shows. */
export function Rows({ id }: { id: string }) {
  const look = useAct(() => ask(LookAtRows, { id }), []);
  const sample = look.data?.sampleTable;
  const rows: unknown[] = Array.isArray(sample?.rows) ? sample.rows : [];
  return (
    <>
      <h3>{words.sample}</h3>
      <p className="quiet">{words.sampleHow}</p>
      <button type="button" disabled={look.isPending} onClick={() => look.mutate()}>
        {look.isPending ? words.reading : words.look}
      </button>
      {look.error && <Problem error={look.error} />}
      {sample && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys
        <div className="sample" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {sample.columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and stay in their order
                <tr key={at}>
                  {(Array.isArray(row) ? row : []).map((value, column) => (
                    <td key={sample.columns[column]} dir="auto">
                      {value === null ? <span className="quiet">null</span> : String(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sample && sample.personal.length > 0 && (
        <p className="quiet">{words.leftOut(sample.personal)}</p>
      )}
    </>
  );
}
