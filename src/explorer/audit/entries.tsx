// Audit entries: who did what to which thing, and what differs since.

import { Link } from 'wouter';
import { Difference } from '../parts/difference.tsx';
import { Moment } from '../parts/moment.tsx';
import { auditWords as words } from '../words/audit.ts';
import { activityName, fieldTitle } from '../words/names/activities.ts';
import type { AuditEntry } from './page.graphql';

/** The entries, the newest first. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ol className="entries">
      {entries.map((entry) => (
        <li key={entry.id}>
          <Entry entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { activityType, loggedAt, performerMetadata, performerType, changes } = entry;
  const title = entry.resourceMetadata.title ?? entry.resourceMetadata.name;
  const path = pathOf(entry);
  return (
    <>
      <p>
        <b>{performerType === 'SYSTEM' ? words.system : performerMetadata.name}</b>{' '}
        <span className="badge">{activityName(activityType)}</span>{' '}
        {title && (path ? <Link href={path}>{title}</Link> : title)}{' '}
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

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
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
