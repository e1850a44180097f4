// Browse: sources and what lies in them by clicks, a list of all below, and edits of many at once.

import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { useTitle } from '../parts/page.tsx';
import { useIsWide } from '../window/use-is-wide.ts';
import { browseWords as words } from '../words/browse.ts';
import { kindName } from '../words.ts';
import { BrowseTree } from './contents.tsx';
import { CsvEdit } from './csv-edit.tsx';
import { BrowsePlace, BrowseSource } from './page.graphql';
import { addressOfSource, type BrowsedPlace, type PlaceShown, placeAt } from './place.ts';
import { PlaceList } from './place-list.tsx';

/** The page. */
export function BrowsePage({ id }: { id: string | undefined }) {
  const isWide = useIsWide();
  const isImport = id === 'csv';
  const place = placeAt(isImport ? undefined : id);
  const resource = useAnswer(
    BrowsePlace,
    { id: place.is === 'resource' ? place.id : '' },
    { isWanted: place.is === 'resource' },
  );
  const source = useAnswer(
    BrowseSource,
    { id: place.is === 'source' ? place.id : '' },
    { isWanted: place.is === 'source' },
  );
  const shown: PlaceShown = {
    resource: resource.data?.resource,
    source: source.data?.integration,
  };
  const isMissing =
    (place.is === 'resource' && shown.resource === null) ||
    (place.is === 'source' && shown.source === null);
  const tree = (
    <BrowseTree
      current={place.is === 'all' ? null : place.id}
      around={aroundOf(shown).map((one) => one.id)}
    />
  );
  return (
    <main className="page desk" id="main" tabIndex={-1}>
      <div className="pane-of-tree">
        {isWide ? (
          tree
        ) : (
          <details key={id}>
            <summary>{words.sources}</summary>
            {tree}
          </details>
        )}
      </div>
      <div className="shown">
        {isImport && <CsvEdit />}
        {isMissing && <Missing />}
        {!isImport && !isMissing && (
          <>
            <Head key={id} place={place} shown={shown} />
            {(place.is !== 'resource' || shown.resource) && (
              <PlaceList key={`list ${id}`} place={place} kind={shown.resource?.kind} />
            )}
          </>
        )}
      </div>
    </main>
  );
}

interface Above {
  readonly id: string;
  readonly title: string;
  readonly href: string;
}

/** What a place lies in, from its source down. */
function aroundOf({ resource }: PlaceShown): readonly Above[] {
  if (!resource) return [];
  const { integration, parent } = resource;
  const above = [parent?.parent?.parent, parent?.parent, parent].filter((one) => one != null);
  return [
    ...(integration
      ? [{ id: integration.id, title: integration.name, href: addressOfSource(integration.id) }]
      : []),
    ...above.map(({ id, title }) => ({ id, title, href: `/browse/${id}` })),
  ];
}

function Head({ place, shown }: { place: BrowsedPlace; shown: PlaceShown }) {
  const { resource, source } = shown;
  const name = place.is === 'all' ? words.title : (resource?.title ?? source?.name ?? '…');
  const kind =
    place.is === 'source'
      ? words.source
      : resource && (resource.nativeType ?? kindName(resource.kind));
  const mayEdit = useMay('edit_resources');
  useTitle(name === '…' ? '' : name);
  return (
    <header className="head">
      {place.is !== 'all' && (
        <nav aria-label={words.where}>
          <Link href="/browse">{words.title}</Link>
          {aroundOf(shown).map(({ id, title, href }) => (
            <Link key={id} href={href}>
              {title}
            </Link>
          ))}
        </nav>
      )}
      <div className="name">
        <h1>{name}</h1>
        {kind && <span className="quiet">{kind}</span>}
        <div className="acts at-end">
          {place.is === 'resource' && (
            <Link className="button" href={`/resource/${place.id}`}>
              {words.details}
            </Link>
          )}
          {place.is === 'source' && (
            <Link className="button" href={`/imports/${place.id}`}>
              {words.details}
            </Link>
          )}
          {mayEdit && (
            <Link className="button" href="/browse/csv">
              {words.importCsv}
            </Link>
          )}
        </div>
      </div>
      {resource?.description && <p className="lead">{resource.description}</p>}
    </header>
  );
}

function Missing() {
  useTitle(words.missing);
  return (
    <>
      <h1>{words.missing}</h1>
      <p>
        {words.missingHow} <Link href="/browse">{words.title}</Link>
      </p>
    </>
  );
}
