// One text: what it says, its versions, what links to it, and what can be done with it.

import { type ReactNode, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Announcements, LaterAnnouncementForm } from '../announcements/banner.tsx';
import { ask } from '../asking/ask.ts';
import type { Notice } from '../asking/undo.ts';
import { useAct } from '../asking/use-answer.ts';
import { useMay } from '../asking/viewer.ts';
import { DeprecationBanner, LaterDeprecationForm } from '../deprecation/banner.tsx';
import { mayDeprecate } from '../deprecation/use-deprecation.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Chip } from '../parts/icon.tsx';
import { FurtherMenu } from '../parts/menu.tsx';
import { Moment } from '../parts/moment.tsx';
import { useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { later } from '../window/later.tsx';
import { announcementWords, deprecationWords } from '../words/resource.ts';
import { shelfWords as words } from '../words/shelf.ts';
import { number } from '../words.ts';
import { readDraft } from '../writing/draft.ts';
import { LaterEditor, useEditorAhead } from '../writing/later-editor.ts';
import { Listed, noLinks, whereInCollection, whereLinkedTo } from './linked.tsx';
import { Moving } from './moving.tsx';
import { ArchiveText, RestoreText, ShelfBranch, ShelfText } from './shelf.graphql';
import { type Around, aroundOf, type Shelf, type ShelfShown } from './shelf.ts';

const Comments = later(async () => (await import('../resource/comments/comments.tsx')).Comments, 4);
const Versions = later(async () => (await import('./versions.tsx')).Versions, 4);

interface TextProps {
  readonly shelf: Shelf;
  readonly text: ShelfShown;
  readonly say: (notice: Notice) => void;
  readonly renew: () => Promise<unknown>;
  readonly move: (into: Around | null) => Promise<unknown>;
}

/** The text, or the editor of it. */
export function Text(props: TextProps) {
  const { shelf, text, renew } = props;
  const mayWrite = text.currentUserPermissions.write && !text.archived;
  const [isEditing, setEditing] = useState(() => mayWrite && readDraft(text.id) !== null);
  const [isMoving, setMoving] = useState(false);
  useTitle(text.title);
  useEditorAhead(mayWrite);
  if (isEditing) {
    const close = async () => {
      await renew();
      setEditing(false);
    };
    return (
      <>
        <h1 className="spoken">{text.title}</h1>
        <LaterEditor resource={text} withTitle close={() => void close()} />
      </>
    );
  }
  return (
    <article className="text">
      <Head
        {...props}
        mayWrite={mayWrite}
        edit={() => setEditing(true)}
        openMoving={() => setMoving(true)}
      />
      {isMoving && (
        <Moving
          shelf={shelf}
          text={text}
          move={(into) => void props.move(into)}
          close={() => setMoving(false)}
        />
      )}
      <Tabs {...props} mayWrite={mayWrite} />
    </article>
  );
}

const renewed = [ShelfText, ShelfBranch];

interface HeadProps extends TextProps {
  readonly mayWrite: boolean;
  readonly edit: () => void;
  readonly openMoving: () => void;
}

function Head({ shelf, text, say, renew, mayWrite, edit, openMoving }: HeadProps) {
  const [, navigate] = useLocation();
  const { id, kind, title } = text;
  const around = aroundOf(text);
  const [isDeprecating, setDeprecating] = useState(false);
  const [isAnnouncing, setAnnouncing] = useState(false);
  const mayAnnounce = useMay('edit_resources');
  const archiving = useAct(async () => {
    await ask(ArchiveText, { id });
    const undo = async () => {
      await ask(RestoreText, { id });
      await renew();
      navigate(`${shelf.address}/${id}`);
    };
    say({ says: words.archivedWhat(title), undo });
    navigate([shelf.address, around.at(-1)?.id].filter(Boolean).join('/'));
    await renew();
  }, []);
  const restoring = useAct(async () => {
    await ask(RestoreText, { id });
    say({ says: words.restored(title) });
    await renew();
  }, []);
  return (
    <header className="head">
      <nav aria-label={words.contents}>
        <Link href={shelf.address}>{shelf.words.title}</Link>
        {around.map((one) => (
          <Link key={one.id} href={`${shelf.address}/${one.id}`}>
            {one.title}
          </Link>
        ))}
      </nav>
      <div className="name">
        <Chip kind={kind} />
        <h1 dir="auto">{title}</h1>
        {text.archived && <span className="badge warning">{words.archivedOn}</span>}
        {shelf.more?.mark(id)}
        <div className="acts">
          {shelf.more?.act(id)}
          {mayWrite && (
            <button type="button" aria-keyshortcuts="e" onClick={edit}>
              {words.edit}
            </button>
          )}
          {text.archived && text.currentUserPermissions.write && (
            <button type="button" className="main" onClick={() => restoring.mutate()}>
              {words.restore}
            </button>
          )}
          {mayWrite && (
            <FurtherMenu>
              {shelf.kinds
                .filter((one) => kind === 'collection' || one === kind)
                .map((one) => (
                  <Link key={one} href={`${shelf.address}/new?kind=${one}&in=${id}`}>
                    {shelf.words.create[one]}
                  </Link>
                ))}
              <button type="button" onClick={openMoving}>
                {words.move}
              </button>
              {mayAnnounce && (
                <button type="button" onClick={() => setAnnouncing(true)}>
                  {announcementWords.open}
                </button>
              )}
              {mayDeprecate(text) && !text.deprecation && (
                <button type="button" onClick={() => setDeprecating(true)}>
                  {deprecationWords.open}
                </button>
              )}
              <button type="button" className="alarm" onClick={() => archiving.mutate()}>
                {words.archive}
              </button>
            </FurtherMenu>
          )}
        </div>
      </div>
      {text.description && (
        <p className="lead" dir="auto">
          {text.description}
        </p>
      )}
      <Announcements on={id} />
      <DeprecationBanner of={text} renewed={renewed} />
      {isAnnouncing && <LaterAnnouncementForm on={text} close={() => setAnnouncing(false)} />}
      {isDeprecating && (
        <LaterDeprecationForm of={text} renewed={renewed} close={() => setDeprecating(false)} />
      )}
      {(archiving.error ?? restoring.error) && (
        <Problem error={archiving.error ?? restoring.error} />
      )}
    </header>
  );
}

type Tab = 'text' | 'uses' | 'comments' | 'versions' | 'linked';

interface TabsProps extends TextProps {
  readonly mayWrite: boolean;
}

/** The parts of its page: the address says which is shown. */
function Tabs({ shelf, text, mayWrite, say, renew }: TabsProps) {
  const asked = new URLSearchParams(useSearch()).get('tab');
  const tabs: readonly Tab[] = shelf.uses
    ? ['text', 'uses', 'comments', 'versions', 'linked']
    : ['text', 'comments', 'versions', 'linked'];
  const tab = tabs.find((one) => one === asked) ?? 'text';
  const address = `${shelf.address}/${text.id}`;
  const names: Readonly<Record<Tab, string>> = {
    text: shelf.words.text,
    uses: shelf.uses?.name ?? '',
    comments: words.comments,
    versions: words.versions,
    linked: words.linkedFrom,
  };
  const parts: Readonly<Record<Tab, () => ReactNode>> = {
    text: () => <Body shelf={shelf} text={text} />,
    uses: () => shelf.uses?.show(text.id),
    comments: () => <Comments id={text.id} renewed={renewed} />,
    versions: () => <Versions text={text} mayWrite={mayWrite} say={say} renew={renew} />,
    linked: () => <Listed where={whereLinkedTo(text.id)} none={noLinks} />,
  };
  return (
    <>
      <nav className="tabs" aria-label={words.sections}>
        {tabs.map((one) => (
          <Link
            key={one}
            href={one === 'text' ? address : `${address}?tab=${one}`}
            aria-current={one === tab ? 'page' : undefined}
          >
            {names[one]}
            {one === 'versions' && text.definitionVersion > 1 && (
              <small className="quiet"> {number(text.definitionVersion)}</small>
            )}
            {one === 'comments' && countOf(text) > 0 && (
              <small className="quiet"> {number(countOf(text))}</small>
            )}
          </Link>
        ))}
      </nav>
      {parts[tab]()}
    </>
  );
}

function countOf({ comments }: ShelfShown): number {
  return comments.totalCount ?? 0;
}

function Body({ shelf, text }: Pick<TextProps, 'shelf' | 'text'>) {
  const { id, kind, definition, owners, ownerGroups, tags, lastModifiedBy } = text;
  const people = [...ownerGroups, ...owners].map(({ name }) => name);
  return (
    <div className="body">
      <div>
        {definition.trim() !== '' && <Markdown text={definition} />}
        {definition.trim() === '' && kind !== 'collection' && (
          <p className="quiet">{words.noText}</p>
        )}
        {shelf.more?.below(id)}
        {kind === 'collection' && (
          <section>
            <h2>{words.contents}</h2>
            <Listed where={whereInCollection(id)} none={words.noMatch} />
          </section>
        )}
      </div>
      <aside aria-label={words.summary}>
        {shelf.more?.facts(id)}
        {people.length > 0 && (
          <p>
            <small className="quiet">{words.owners}</small>
            <br />
            {people.join(', ')}
          </p>
        )}
        {tags.length > 0 && (
          <p>
            <small className="quiet">{words.tags}</small>
            <br />
            {tags.map(({ name }) => name).join(', ')}
          </p>
        )}
        <p>
          <small className="quiet">{words.updated}</small>
          <br />
          <Moment at={text.updatedAt} /> {lastModifiedBy && words.changedBy(lastModifiedBy.name)}
        </p>
        <p>
          <Link href={`/resource/${id}`}>{words.details}</Link>
        </p>
      </aside>
    </div>
  );
}
