// The head of a resource: where it lies, its name and state, what can be done with it.

import { Link } from 'wouter';
import { Announcements } from '../../announcements/banner.tsx';
import { DeprecationBanner } from '../../deprecation/banner.tsx';
import { Badges } from '../../parts/badges.tsx';
import { Chip, Icon } from '../../parts/icon.tsx';
import { resourceWords } from '../../words/resource.ts';
import { kindName, words } from '../../words.ts';
import { ResourcePage } from '../page.graphql';
import type { ResourceShown } from '../shown.ts';
import { hasLineage } from '../shown.ts';
import { Bookmark, Follow } from './following.tsx';
import { Further, Restore } from './further.tsx';

interface HeadProps {
  readonly resource: ResourceShown;
  readonly isBookmarked: boolean;
}

/** The head. */
export function Head({ resource, isBookmarked }: HeadProps) {
  const { id, kind, title, description, archived } = resource;
  return (
    <header className="head">
      <Where resource={resource} />
      <div className="name">
        <Chip kind={kind} />
        <h1 dir="auto">{title}</h1>
        <span className="quiet">{resource.nativeType ?? kindName(kind)}</span>
        <Badges of={resource} />
        <div className="acts">
          {hasLineage(resource) && (
            <Link className="button main" href={`/lineage/${id}`} aria-keyshortcuts="l">
              <Icon kind="lineage" />
              {resourceWords.viewLineage}
            </Link>
          )}
          <Follow resource={resource} />
          <Bookmark id={id} isOn={isBookmarked} />
          <Further resource={resource} />
        </div>
      </div>
      {description && (
        <p className="summary" dir="auto">
          {description}
        </p>
      )}
      <Announcements on={id} />
      <DeprecationBanner of={resource} renewed={[ResourcePage]} />
      {archived && <Restore resource={resource} />}
    </header>
  );
}

const browsed = ['database', 'schema', 'dashboard_group', 'category'];

/** The page that lists what lies in something. */
function placeOf({ id, kind }: { readonly id: string; readonly kind: string }): string {
  if (browsed.includes(kind)) return `/browse/${id}`;
  if (kind === 'document' || kind === 'collection') return `/documents/${id}`;
  return kind === 'glossary' ? `/glossary/${id}` : `/resource/${id}`;
}

/** What it lies in, from the source down; nothing where it lies in nothing. */
function Where({ resource: { parent, integration } }: { resource: ResourceShown }) {
  const above = [parent?.parent?.parent, parent?.parent, parent].filter((one) => one != null);
  if (!integration && above.length === 0) return null;
  return (
    <nav aria-label={words.resource.where}>
      {integration && <Link href={`/browse/source-${integration.id}`}>{integration.name}</Link>}
      {above.map((one) => (
        <Link key={one.id} href={placeOf(one)} dir="auto">
          {one.title}
        </Link>
      ))}
    </nav>
  );
}
