// Some of the rows that fail a check, for those who may see them.

import { incidentWords as words } from '../words/quality.ts';
import type { IncidentThere } from './shown.ts';

/** The table; nothing where no rows are kept. */
export function Failing({ incident: { failingRows } }: { incident: IncidentThere }) {
  if (!failingRows) return null;
  const { columns } = failingRows;
  const rows: unknown[] = Array.isArray(failingRows.rows) ? failingRows.rows : [];
  const textOf = (row: unknown, at: number) => {
    const value: unknown = Array.isArray(row) ? row[at] : null;
    return value === null || value === undefined ? '' : String(value);
  };
  return (
    <section className="sheet">
      <h2>{words.failingRows}</h2>
      <p className="quiet">{words.failingRowsHint}</p>
      <div className="wide">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={JSON.stringify(row)}>
                {columns.map((name, at) => (
                  <td key={name}>{textOf(row, at)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
