// The profile of a table: what its columns hold, and some of its rows where an admin allows it.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../asking/ask.ts';
import { useAct, useAnswer } from '../../asking/use-answer.ts';
import { useMay, useViewer } from '../../asking/viewer.ts';
import { Moment } from '../../parts/moment.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { profileWords as words } from '../../words/profile.ts';
import { ProfileOfTable, type ProfileOfTableData, TakeProfile } from './profile.graphql';
import { Rows } from './rows.tsx';

const askedAgainMs = 2_000;
/** A profile that takes longer comes all the same, without this page asking for it. */
const longestWaitMs = 120_000;

type Profiled = NonNullable<
  Extract<NonNullable<ProfileOfTableData['resource']>, { profile: unknown }>['profile']
>;
type Column = Profiled['columns'][number];

/** The section, and what takes a profile now or every night. */
export function Profile({ id }: { id: string }) {
  const [asked, setAsked] = useState<{ readonly at: number; readonly before: string | null }>();
  const { data, error, refetch } = useAnswer(
    ProfileOfTable,
    { id },
    { again: (now) => (isAwaited(asked, takenAtOf(now)) ? askedAgainMs : false) },
  );
  if (error && !data) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Waiting lines={10} />;
  const profile = profileOf(data);
  const isWaiting = isAwaited(asked, takenAtOf(data));
  return (
    <section className="sheet profile">
      <h2>{words.title}</h2>
      {profile?.takenAt ? (
        <p className="quiet">
          {words.taken} <Moment at={profile.takenAt} />
          {profile.rowCount !== null && ` · ${words.rows(profile.rowCount)}`}
          {profile.everyHours !== null && ` · ${words.every(profile.everyHours)}`}
        </p>
      ) : (
        <p className="quiet">{words.none}</p>
      )}
      <Taking
        id={id}
        isNightly={profile?.everyHours != null}
        isWaiting={isWaiting}
        begun={() => setAsked({ at: Date.now(), before: takenAtOf(data) })}
      />
      {profile && profile.columns.length > 0 && <Columns columns={profile.columns} />}
      <Preview id={id} data={data} />
    </section>
  );
}

function profileOf(data: ProfileOfTableData): Profiled | null {
  const { resource } = data;
  return resource && 'profile' in resource ? resource.profile : null;
}

function takenAtOf(data: ProfileOfTableData | undefined): string | null {
  return data ? (profileOf(data)?.takenAt ?? null) : null;
}

function isAwaited(
  asked: { readonly at: number; readonly before: string | null } | undefined,
  takenAt: string | null,
): boolean {
  return asked !== undefined && asked.before === takenAt && Date.now() - asked.at < longestWaitMs;
}

interface TakingProps {
  readonly id: string;
  readonly isNightly: boolean;
  readonly isWaiting: boolean;
  readonly begun: () => void;
}

function Taking({ id, isNightly, isWaiting, begun }: TakingProps) {
  const may = useMay('edit_monitors');
  const take = useAct(
    (everyHours: number | null) => ask(TakeProfile, { id, everyHours }),
    [ProfileOfTable],
  );
  if (!may) return null;
  const isBusy = take.isPending || isWaiting;
  return (
    <>
      <p className="acts">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => take.mutate(null, { onSuccess: begun })}
        >
          {isBusy ? words.taking : words.take}
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => take.mutate(isNightly ? 0 : 24, { onSuccess: begun })}
        >
          {isNightly ? words.stopNightly : words.nightly}
        </button>
      </p>
      {take.error && <Problem error={take.error} />}
    </>
  );
}

function Columns({ columns }: { columns: readonly Column[] }) {
  return (
    <div className="columns">
      <table>
        <thead>
          <tr>
            {words.heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.columnId}>
              <td>
                <Link href={`/resource/${column.columnId}`}>{column.title}</Link>
              </td>
              <td>{column.nullPercentage === null ? '' : words.share(column.nullPercentage)}</td>
              <td>{column.distinctCount === null ? '' : words.count(column.distinctCount)}</td>
              <td>{rangeOf(column)}</td>
              <td>{column.problem ?? <Top column={column} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rangeOf({ minimum, maximum, mean, earliest, latest, averageLength }: Column): string {
  if (minimum !== null && maximum !== null) return words.range(minimum, maximum, mean);
  if (earliest !== null && latest !== null) return words.times(earliest, latest);
  return averageLength === null ? '' : words.lengths(averageLength);
}

function Top({ column: { isPersonal, topValues } }: { column: Column }) {
  if (isPersonal) return <span className="badge">{words.personal}</span>;
  const most = topValues[0]?.count ?? 0;
  return (
    <ul className="top-values">
      {topValues.slice(0, 5).map(({ value, count }) => (
        <li key={value}>
          <meter min={0} max={most} value={count} aria-label={words.count(count)} />
          <span dir="auto">{value}</span>
        </li>
      ))}
    </ul>
  );
}

/** The rows, for the roles that an admin allowed them. */
function Preview({ id, data }: { id: string; data: ProfileOfTableData }) {
  const role = useViewer()?.role;
  const roles = data.resource?.integration?.previewRoles ?? [];
  return role !== undefined && roles.includes(role) ? <Rows id={id} /> : null;
}
