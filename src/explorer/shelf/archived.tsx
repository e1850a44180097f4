// Texts that were deleted: each can be restored.

import { ask } from '../asking/ask.ts';
import type { Notice } from '../asking/undo.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { shelfWords as words } from '../words/shelf.ts';
import { kindName } from '../words.ts';
import { RestoreText, ShelfArchived, type ShelfArchivedData } from './shelf.graphql';
import { type Shelf, whereArchived } from './shelf.ts';

const of = ({ resources }: ShelfArchivedData) => resources;

interface ArchivedProps {
  readonly shelf: Shelf;
  readonly done: () => Promise<unknown>;
  readonly say: (notice: Notice) => void;
}

/** The list. */
export function Archived({ shelf, done, say }: ArchivedProps) {
  useTitle(shelf.words.archived);
  const { data, nodes, rest, error } = useList(
    ShelfArchived,
    { where: whereArchived(shelf) },
    { atOnce: 100, of },
  );
  const restoring = useAct(
    async ({ id, title }: { readonly id: string; readonly title: string }) => {
      await ask(RestoreText, { id });
      await done();
      say({ says: words.restored(title) });
    },
    [ShelfArchived],
  );
  return (
    <>
      <h1>{shelf.words.archived}</h1>
      {error && <Problem error={error} />}
      {restoring.error && <Problem error={restoring.error} />}
      {!data && !error && <Waiting lines={6} />}
      {data && nodes.length === 0 && <p className="quiet">{words.noMatch}</p>}
      <ul className="rows archived">
        {nodes.map((one) => (
          <li key={one.id} className="row">
            <Icon kind={one.kind} />
            <span>
              <b>
                <bdi>{one.title}</bdi>
              </b>
              <small>
                {kindName(one.kind)} · {words.archivedOn}{' '}
                {one.archivedAt && <Moment at={one.archivedAt} />}
              </small>
            </span>
            <button
              type="button"
              disabled={restoring.isPending}
              onClick={() => restoring.mutate(one)}
            >
              {words.restore}
              <span className="spoken"> {one.title}</span>
            </button>
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </>
  );
}
