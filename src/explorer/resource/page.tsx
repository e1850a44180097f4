// The page of one resource: what it is, what people say of it, what it has to do with.

import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { type Rest, useAnswer } from '../asking/use-answer.ts';
import { Badges } from '../parts/badges.tsx';
import { Chip } from '../parts/icon.tsx';
import { Answered, useTitle } from '../parts/page.tsx';
import { AnswersOf } from '../questions/answers.tsx';
import { Questions } from '../questions/on-resource.tsx';
import { kindName, words } from '../words.ts';
import { Aside } from './aside.tsx';
import { Children } from './children.tsx';
import { Columns } from './columns/columns.tsx';
import { CopyAs } from './copy-as.tsx';
import { History } from './history.tsx';
import { Neighbours } from './neighbours.tsx';
import { NoteView, ResourcePage as Operation } from './page.graphql';
import { Quality } from './quality.tsx';
import { Runs } from './runs/runs.tsx';
import type { ResourceShown } from './shown.ts';
import { Subscribe } from './subscribe.tsx';
import { Words } from './words.tsx';

/** Anyone who stays this long has looked at it. */
const lookedAfterMs = 2_000;
const columnsAtOnce = 300;
/** As many as an answer holds. */
const mostColumns = 1_000;

/** The page. */
export function ResourcePage({ id }: { id: string }) {
  const [first, setFirst] = useState(columnsAtOnce);
  const answer = useAnswer(Operation, { id, first }, { isKept: true });
  const isThere = answer.data?.resource != null;
  useEffect(() => {
    if (!isThere) return undefined;
    // No one has to know when that fails: it counts for the order of lists.
    const look = () => void ask(NoteView, { id }).catch(() => undefined);
    const timer = setTimeout(look, lookedAfterMs);
    return () => clearTimeout(timer);
  }, [id, isThere]);

  return (
    <Answered
      answer={answer}
      of="resource"
      missing={words.resource.missing}
      how={words.resource.missingHow}
    >
      {({ resource }) =>
        resource && (
          <Shown
            resource={resource}
            columns={{
              has: resource.childrenCount > first && first < mostColumns,
              isLoading: answer.isPlaceholderData,
              error: null,
              load: () => setFirst(mostColumns),
            }}
          />
        )
      }
    </Answered>
  );
}

function Shown({ resource, columns }: { resource: ResourceShown; columns: Rest }) {
  useTitle(resource.titleFull);
  return (
    <main className="page resource" id="main" tabIndex={-1}>
      <Head resource={resource} />
      <div className="halves">
        <div>
          <Words key={resource.id} resource={resource} />
          {resource.kind === 'question' && <AnswersOf id={resource.id} />}
          {'columns' in resource && <Columns table={resource} rest={columns} />}
          <Children id={resource.id} count={childrenOf(resource)} />
          {'runs' in resource && (
            <Runs runs={resource.runs.nodes} total={resource.runs.totalCount ?? 0} />
          )}
          {hasLineage(resource) && <Neighbours resource={resource} />}
          <Quality resource={resource} />
          <Source resource={resource} />
          {resource.kind !== 'question' && <Questions resource={resource} />}
          <History key={resource.version} id={resource.id} />
        </div>
        <Aside resource={resource} />
      </div>
    </main>
  );
}

/** What it holds besides columns and replies, which have lists of their own. */
function childrenOf(resource: ResourceShown): number {
  return 'columns' in resource || resource.kind === 'question' ? 0 : resource.childrenCount;
}

/** What data does not flow through: such a thing has lineage only where somebody drew it. */
const withoutFlow: readonly string[] = [
  ...['database', 'schema', 'dashboard_group', 'collection', 'category', 'document', 'glossary'],
  ...['question', 'question_reply', 'event_property'],
];

function hasLineage({ kind, upstream, downstream }: ResourceShown): boolean {
  return !withoutFlow.includes(kind) || upstream.length + downstream.length > 0;
}

function Head({ resource }: { resource: ResourceShown }) {
  const { id, kind, title } = resource;
  return (
    <header className="head">
      <Where resource={resource} />
      <div className="name">
        <Chip kind={kind} />
        <h1>{title}</h1>
        <span className="quiet">{resource.nativeType ?? kindName(kind)}</span>
        <Badges of={resource} />
      </div>
      <div className="acts">
        {hasLineage(resource) && (
          <Link className="button main" href={`/lineage/${id}`}>
            {words.resource.lineage}
          </Link>
        )}
        <Subscribe resource={resource} />
        <CopyAs resource={resource} />
      </div>
    </header>
  );
}

/** What it lies in, from the source down; nothing where it lies in nothing. */
function Where({ resource: { parent, integration } }: { resource: ResourceShown }) {
  const above = [parent?.parent?.parent, parent?.parent, parent].filter((one) => one != null);
  if (!integration && above.length === 0) return null;
  return (
    <nav aria-label={words.resource.where}>
      {integration && <span>{integration.name}</span>}
      {above.map((one) => (
        <Link key={one.id} href={`/resource/${one.id}`}>
          {one.title}
        </Link>
      ))}
    </nav>
  );
}

/** The SQL that it is made by, or that it is. */
function Source({ resource }: { resource: ResourceShown }) {
  const sql =
    'sql' in resource ? resource.sql : 'creationQuery' in resource ? resource.creationQuery : null;
  const raw = resource.sourceFile?.rawCode;
  if (!sql && !raw) return null;
  return (
    <section className="sheet">
      <h2>{sql ? words.resource.sql : words.resource.asWritten}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
      <pre tabIndex={0}>{sql || raw}</pre>
      {sql && raw && (
        <details>
          <summary>{words.resource.asWritten}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
          <pre tabIndex={0}>{raw}</pre>
        </details>
      )}
    </section>
  );
}
