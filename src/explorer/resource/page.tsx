// The page of one resource: what it is, what people say of it, what it has to do with.

import { useEffect } from 'react';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { Answered, useTitle } from '../parts/page.tsx';
import { later } from '../window/later.tsx';
import { noteRecent } from '../window/recent.ts';
import { words } from '../words.ts';
import { Aside } from './aside.tsx';
import { Children } from './children.tsx';
import { Columns } from './columns/columns.tsx';
import { Head } from './head/head.tsx';
import { Strip } from './head/strip.tsx';
import { Tabs, tabOf } from './head/tabs.tsx';
import { MadeBy } from './made-by.tsx';
import { Neighbours } from './neighbours.tsx';
import { NoteView, ResourcePage as Operation } from './page.graphql';
import { Runs } from './runs/runs.tsx';
import type { ResourceShown } from './shown.ts';
import { Words } from './words.tsx';

const AnswersOf = later(async () => (await import('../questions/answers.tsx')).AnswersOf, 4);
const Comments = later(async () => (await import('./comments/comments.tsx')).Comments, 4);
const Drawn = later(async () => (await import('./drawn/drawn.tsx')).Drawn, 4);
const History = later(async () => (await import('./history.tsx')).History, 6);
const Profile = later(async () => (await import('./profile/profile.tsx')).Profile, 8);
const Quality = later(async () => (await import('./quality.tsx')).Quality, 4);
const Questions = later(async () => (await import('../questions/on-resource.tsx')).Questions, 4);

/** Anyone who stays this long has looked at it. */
const lookedAfterMs = 2_000;

/** The page. */
export function ResourcePage({ id }: { id: string }) {
  const answer = useAnswer(Operation, { id }, { isKept: true });
  const found = answer.data?.resource;
  const isThere = found?.id === id;
  useEffect(() => {
    if (!isThere) return undefined;
    // No one has to know when that fails: it counts for the order of lists.
    const look = () => void ask(NoteView, { id }).catch(() => undefined);
    const timer = setTimeout(look, lookedAfterMs);
    return () => clearTimeout(timer);
  }, [id, isThere]);
  useEffect(() => {
    if (found) noteRecent(found);
  }, [found]);

  return (
    <Answered
      answer={answer}
      of="resource"
      missing={words.resource.missing}
      how={words.resource.missingHow}
    >
      {({ resource, viewer }) =>
        resource && <Shown resource={resource} isBookmarked={viewer.bookmarks.totalCount > 0} />
      }
    </Answered>
  );
}

interface ShownProps {
  readonly resource: ResourceShown;
  readonly isBookmarked: boolean;
}

function Shown({ resource, isBookmarked }: ShownProps) {
  useTitle(resource.titleFull);
  const tab = tabOf(resource, useAddress().one('tab'));
  return (
    <main className="page resource" id="main" tabIndex={-1}>
      <Head resource={resource} isBookmarked={isBookmarked} />
      <Strip resource={resource} />
      <Tabs resource={resource} shown={tab} />
      <div className="halves">
        <div>
          {tab === 'overview' && <Overview resource={resource} />}
          {tab === 'lineage' && (
            <>
              <Neighbours resource={resource} />
              <Drawn resource={resource} />
            </>
          )}
          {tab === 'quality' && <Quality resource={resource} />}
          {tab === 'profile' && <Profile id={resource.id} />}
          {tab === 'sql' && <MadeBy resource={resource} />}
          {tab === 'questions' && <Questions resource={resource} />}
          {tab === 'comments' && <Comments id={resource.id} renewed={[Operation]} />}
          {tab === 'activity' && <History key={resource.version} id={resource.id} />}
        </div>
        <Aside resource={resource} />
      </div>
    </main>
  );
}

/** What four visits of five want: columns and documentation, or what something else holds. */
function Overview({ resource }: { resource: ResourceShown }) {
  return (
    <>
      {'columns' in resource && <Columns key={resource.id} table={resource} />}
      <Words key={resource.id} resource={resource} />
      {resource.kind === 'question' && <AnswersOf id={resource.id} />}
      <Children id={resource.id} count={childrenOf(resource)} />
      {'runs' in resource && (
        <Runs runs={resource.runs.nodes} total={resource.runs.totalCount ?? 0} />
      )}
    </>
  );
}

/** What it holds besides columns and replies, which have lists of their own. */
function childrenOf(resource: ResourceShown): number {
  return 'columns' in resource || resource.kind === 'question' ? 0 : resource.childrenCount;
}
