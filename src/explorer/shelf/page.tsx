// Page of a shelf: the tree of its texts, and next to it one of them, a new one, or those that were deleted.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { notify } from '../asking/undo.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { DropZone } from '../tree/tree.tsx';
import { useIsWide } from '../window/use-is-wide.ts';
import { shelfWords as words } from '../words/shelf.ts';
import { Archived } from './archived.tsx';
import { Contents, useTop } from './contents.tsx';
import { NewText } from './new.tsx';
import { MoveText, ShelfArchived, ShelfBranch, ShelfPlace, ShelfText } from './shelf.graphql';
import { type Around, aroundOf, mayHold, moveBackOf, moveOf, type Shelf } from './shelf.ts';
import { Text } from './text.tsx';

interface ShelfPageProps {
  readonly shelf: Shelf;
  /** The id of one; `new`, `archived`, or absent for none. */
  readonly id: string | undefined;
}

/** The page. */
export function ShelfPage({ shelf, id = '' }: ShelfPageProps) {
  const isOne = id !== '' && id !== 'new' && id !== 'archived';
  const answer = useAnswer(
    ShelfText,
    { id, kinds: [...shelf.kinds] },
    { isKept: true, isWanted: isOne },
  );
  const shown = isOne ? answer.data?.resource : null;
  const client = useQueryClient();
  const mayWrite = useMay('edit_resources');
  const renew = useCallback(
    () =>
      Promise.all(
        [ShelfBranch, ShelfText, ShelfArchived].map(({ name }) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      ),
    [client],
  );
  const move = async (moved: string, into: Around | null, from: string | null) => {
    try {
      const notice = await moveTo(moved, into, from);
      const undo = async () => {
        await notice?.undo();
        await renew();
      };
      if (notice) notify({ says: notice.says, undo });
    } catch (error) {
      notify({ error });
    }
    await renew();
  };
  const isWide = useIsWide();
  const contents = (
    <>
      <Contents
        shelf={shelf}
        current={isOne ? id : null}
        around={shown ? aroundOf(shown).map((one) => one.id) : []}
        move={mayWrite ? (...to) => void move(...to) : undefined}
      />
      <DropZone says={words.dropHere} move={mayWrite ? (...to) => void move(...to) : undefined} />
      {mayWrite && (
        <p className="quiet links-of-tree">
          <Link href={`${shelf.address}/archived`}>{shelf.words.archived}</Link>
        </p>
      )}
    </>
  );
  return (
    <main className="page desk" id="main" tabIndex={-1}>
      <div className="pane-of-tree">
        {isWide ? (
          contents
        ) : (
          <details key={id}>
            <summary>{shelf.words.title}</summary>
            {contents}
          </details>
        )}
      </div>
      <div className="shown">
        {id === '' && <NoneChosen shelf={shelf} />}
        {id === 'new' && mayWrite && <NewText shelf={shelf} done={renew} />}
        {id === 'new' && !mayWrite && <NotAllowed shelf={shelf} />}
        {id === 'archived' && <Archived shelf={shelf} done={renew} say={notify} />}
        {isOne && answer.error && !answer.data && (
          <Problem error={answer.error} again={() => void answer.refetch()} />
        )}
        {isOne && !answer.data && !answer.error && <Waiting lines={8} />}
        {isOne && answer.data && !shown && <Missing shelf={shelf} />}
        {shown && (
          <Text
            key={shown.id}
            shelf={shelf}
            text={shown}
            say={notify}
            renew={renew}
            move={(into) => move(shown.id, into, shown.collections[0]?.id ?? null)}
          />
        )}
      </div>
    </main>
  );
}

/** Move a text, as it lies now; says where to and takes it back, or null where it cannot lie there. */
async function moveTo(
  id: string,
  into: Around | null,
  from: string | null,
): Promise<{ readonly says: string; readonly undo: () => Promise<unknown> } | null> {
  const { resource } = await ask(ShelfPlace, { id });
  if (!resource || (into && !mayHold(into, resource.kind))) return null;
  const input = moveOf(resource, into, from);
  const { updateResource } = await ask(MoveText, { id, version: resource.version, input });
  const { title, version } = updateResource;
  const back = moveBackOf(resource, input);
  return {
    says: words.moved(title, into?.title ?? null),
    undo: () => ask(MoveText, { id, version, input: back }),
  };
}

/** What who can't write sees in place of the fields. */
function NotAllowed({ shelf }: { shelf: Shelf }) {
  const viewer = useViewer();
  useTitle(shelf.words.title);
  if (!viewer) return <Waiting lines={8} />;
  return (
    <>
      <h1>{shelf.words.title}</h1>
      <p>{words.hidden}</p>
    </>
  );
}

function NoneChosen({ shelf }: { shelf: Shelf }) {
  useTitle(shelf.words.title);
  const mayWrite = useMay('edit_resources');
  const { isEmpty } = useTop(shelf);
  return (
    <>
      <h1>{shelf.words.title}</h1>
      {isEmpty ? (
        <div className="nothing">
          <p>
            <b>{shelf.words.none}</b>
          </p>
          <p className="quiet">{shelf.words.noneHow}</p>
        </div>
      ) : (
        <p className="quiet">{shelf.words.noneChosen}</p>
      )}
      {mayWrite && (
        <p className="acts">
          {shelf.kinds.map((kind) => (
            <Link key={kind} className="button" href={`${shelf.address}/new?kind=${kind}`}>
              {shelf.words.create[kind]}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}

function Missing({ shelf }: { shelf: Shelf }) {
  useTitle(words.missing);
  useEffect(() => document.getElementById('main')?.focus(), []);
  return (
    <>
      <h1>{words.missing}</h1>
      <p>
        {words.missingHow} <Link href={shelf.address}>{shelf.words.title}</Link>
      </p>
    </>
  );
}
