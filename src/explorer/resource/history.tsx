// History of a resource: versions of its documentation, and activity.

import { useList } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { Entries } from '../audit/entries.tsx';
import { AuditOfResource } from '../audit/page.graphql';
import { Difference } from '../parts/difference.tsx';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { words } from '../words.ts';
import { VersionsOfResource } from './history.graphql';

const atOnce = 20;

/** Both, for those who may read what others did. */
export function History({ id }: { id: string }) {
  const mayAudit = useMay('read_the_audit_log');
  return (
    <>
      {mayAudit && (
        <section className="sheet">
          <h2>{words.resource.deeds}</h2>
          <Deeds id={id} />
        </section>
      )}
      <section className="sheet">
        <h2>{words.resource.versions}</h2>
        <Versions id={id} />
      </section>
    </>
  );
}

function Versions({ id }: { id: string }) {
  const { data, nodes, rest, error, refetch } = useList(
    VersionsOfResource,
    { id },
    { atOnce, of: ({ resource }) => resource?.versions },
  );
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={4} />;
  if (nodes.length === 0) return <p className="quiet">{words.resource.noVersions}</p>;
  // The last of those that were asked for only says what the one after it changed.
  const versions = rest.has ? nodes.slice(0, -1) : nodes;
  return (
    <>
      <ol className="entries" reversed>
        {versions.map(({ id: version, version: number, createdAt, author, definition }, at) => (
          <li key={version}>
            <p>
              <b>{words.resource.version(number)}</b> {author?.name}{' '}
              <span className="quiet">
                <Moment at={createdAt} />
              </span>
            </p>
            <details>
              <summary>{words.resource.whatChanged}</summary>
              <Difference before={nodes[at + 1]?.definition ?? ''} after={definition} />
            </details>
          </li>
        ))}
      </ol>
      <More rest={rest} />
    </>
  );
}

function Deeds({ id }: { id: string }) {
  const { data, nodes, rest, error, refetch } = useList(
    AuditOfResource,
    { id },
    { atOnce, of: ({ resourceLogs }) => resourceLogs },
  );
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={4} />;
  if (nodes.length === 0) return <p className="quiet">{words.resource.noDeeds}</p>;
  return (
    <>
      <Entries entries={nodes} />
      <More rest={rest} />
    </>
  );
}
