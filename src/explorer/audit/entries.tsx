// Audit entries: who did what to which thing, and what differs since.

import { Link } from 'wouter';
import { Difference } from '../parts/difference.tsx';
import { Moment } from '../parts/moment.tsx';
import { auditWords as words } from '../words/audit.ts';
import { activityName, fieldTitle } from '../words/names/activities.ts';
import { runsOf } from './folding.ts';
import type { AuditEntry } from './page.graphql';
import { textOf } from './value-text.ts';

/** The entries, the newest first; equal ones that follow each other are folded into one. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol className="entries">
      {runsOf(entries).map(([first, ...others]) =>
        first && others.length > 0 ? (
          <li key={first.id}>
            <Folded first={first} others={others} />
          </li>
        ) : (
          first && (
            <li key={first.id}>
              <Entry entry={first} />
            </li>
          )
        ),
      )}
    </ol>
  );
}

interface FoldedProps {
  readonly first: AuditEntry;
  readonly others: readonly AuditEntry[];
}

function Folded({ first, others }: FoldedProps) {
  return (
    <details>
      <summary>
        <Who entry={first} /> <b>{words.times(others.length + 1)}</b>{' '}
        <span className="quiet">
          <Moment at={first.loggedAt} />
        </span>
      </summary>
      <ol className="entries within">
        {[first, ...others].map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Who did it, and what. */
function Who({ entry: { activityType, performerMetadata, performerType } }: { entry: AuditEntry }) {
  return (
    <>
      <b>{performerType === 'SYSTEM' ? words.system : performerMetadata.name}</b>{' '}
      <span className="badge">{activityName(activityType)}</span>
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { loggedAt, changes } = entry;
  const title = entry.resourceMetadata.title ?? entry.resourceMetadata.name;
  const path = pathOf(entry);
  return (
    <>
      <p>
        <Who entry={entry} /> {title && (path ? <Link href={path}>{title}</Link> : title)}{' '}
        <span className="quiet">
          <Moment at={loggedAt} />
        </span>
      </p>
      {changes.length > 0 && (
        <details>
          <summary>
            {words.differences(changes.length)}
            <span className="quiet">
              {' '}
              {changes.map(({ field }) => fieldTitle(field)).join(', ')}
            </span>
          </summary>
          <dl>
            {changes.map(({ field, before, after, note }) => (
              <div key={field}>
                <dt>{fieldTitle(field)}</dt>
                <dd>
                  <Change before={before} after={after} />
                  {note && <p className="quiet">{note}</p>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

function Change({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [textOf(before), textOf(after)];
  if (old.includes('\n') || now.includes('\n')) return <Difference before={old} after={now} />;
  return (
    <>
      <span className="spoken">{words.before} </span>
      <del>{old === '' ? words.nothing : old}</del> <span aria-hidden="true">→</span>{' '}
      <span className="spoken">{words.after} </span>
      <ins>{now === '' ? words.nothing : now}</ins>
    </>
  );
}

/** The page of what an entry is about; null where it has none. */
function pathOf({ resourceId, resourceType, activityType }: AuditEntry): string | null {
  if (resourceId === null || /_deleted$/.test(activityType)) return null;
  const places: Readonly<Record<string, string>> = {
    monitor: 'monitors',
    incident: 'incidents',
    integration: 'imports',
  };
  const place = places[resourceType ?? ''];
  if (place) return `/${place}/${resourceId}`;
  const isOther =
    /^(user|group|team|tag|api_key|webhook|notification_rule|custom_property|lineage|job|workspace)/;
  return resourceType === null || isOther.test(resourceType) ? null : `/resource/${resourceId}`;
}
