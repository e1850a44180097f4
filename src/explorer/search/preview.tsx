// What the result is that one looks at, next to the list: enough to know whether it is the right one.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Badges } from '../parts/badges.tsx';
import { Hue } from '../parts/choosing/hue.tsx';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { resourceWords } from '../words/resource.ts';
import { number, words } from '../words.ts';
import { Marked } from './marked.tsx';
import type { Hit } from './page.graphql';
import { SearchPreview, type SearchPreviewData } from './preview.graphql';

type Shown = NonNullable<SearchPreviewData['resource']>;

/** The pane of a result. */
export function Preview({ hit }: { hit: Hit }) {
  const { id } = hit.resource;
  const { data, error, refetch } = useAnswer(SearchPreview, { id }, { isKept: true });
  return (
    <aside className="preview-of" aria-label={words.search.preview} aria-busy={!data}>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting lines={8} />}
      {data?.resource && <About resource={data.resource} hit={hit} />}
    </aside>
  );
}

function About({ resource, hit }: { resource: Shown; hit: Hit }) {
  const { id, kind, title, description, tags } = resource;
  const text = hit.highlights.find(({ field }) => field !== 'title');
  return (
    <>
      <header>
        <Chip kind={kind} />
        <div>
          <h2 dir="auto">{title}</h2> <Badges of={resource} />
          <p className="quiet">{placeOf(resource)}</p>
        </div>
      </header>
      <p className="piece" dir="auto">
        {description || (text && <Marked piece={text} isMarkdown />)}
      </p>
      <p className="steps-of">
        <Link className="button main" href={`/resource/${id}`}>
          {words.search.open}
        </Link>
        {'columns' in resource && (
          <Link className="button" href={`/lineage/${id}`}>
            {words.search.lineage}
          </Link>
        )}
      </p>
      <Facts resource={resource} />
      {'columns' in resource && resource.columns.length > 0 && <Columns table={resource} />}
      {tags.length > 0 && (
        <>
          <h3>{words.resource.tags}</h3>
          <p className="tags-of">
            {tags.map((tag) => (
              <span key={tag.id} className="pill">
                <Hue of={tag.color} /> {tag.name}
              </span>
            ))}
          </p>
        </>
      )}
    </>
  );
}

/** What is known of it; what is not is left out. */
function Facts({ resource }: { resource: Shown }) {
  const { owners, ownerGroups, externalUpdatedAt, totalUsage, openIncidents } = resource;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...(owners.length + ownerGroups.length > 0
      ? [[resourceWords.owners, <Owners key="owners" {...{ owners, ownerGroups }} />] as const]
      : []),
    ...(externalUpdatedAt
      ? [[resourceWords.freshness, <Moment key="fresh" at={externalUpdatedAt} />] as const]
      : []),
    ...('rowCount' in resource && resource.rowCount !== null
      ? [[resourceWords.rows, number(resource.rowCount)] as const]
      : []),
    ...('type' in resource && resource.type
      ? [[words.resource.columnType, resource.type.toLowerCase()] as const]
      : []),
    ...(totalUsage > 0 ? [[words.resource.usage, number(totalUsage)] as const] : []),
    ...(openIncidents.length > 0
      ? [[resourceWords.incidents, resourceWords.open(openIncidents.length)] as const]
      : []),
    ...('synonyms' in resource && resource.synonyms.length > 0
      ? [[words.search.synonyms, resource.synonyms.join(', ')] as const]
      : []),
  ];
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Owners({ owners, ownerGroups }: Pick<Shown, 'owners' | 'ownerGroups'>) {
  return [...ownerGroups, ...owners].map(({ id, name }) => (
    <span key={id} className="owner">
      <Avatar name={name} isGroup={ownerGroups.some((group) => group.id === id)} /> {name}
    </span>
  ));
}

function Columns({ table }: { table: Extract<Shown, { columns: unknown }> }) {
  const { id, childrenCount, columns } = table;
  const count = Math.max(childrenCount, columns.length);
  return (
    <>
      <h3>{words.resource.columns(count)}</h3>
      <ul className="columns-of">
        {columns.map((column) => (
          <li key={column.id}>
            <Link href={`/resource/${column.id}`}>{column.title}</Link>
            <code>{(column.type ?? '').toLowerCase()}</code>
          </li>
        ))}
      </ul>
      {count > columns.length && (
        <Link href={`/resource/${id}`}>{words.search.otherColumns(count - columns.length)}</Link>
      )}
    </>
  );
}
