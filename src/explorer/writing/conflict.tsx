// Conflict of two edits: both versions are shown, nothing is overwritten unseen.

import { Markdown } from '../markdown/markdown.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { diffOf } from '../parts/diff.ts';
import { Moment } from '../parts/moment.tsx';
import { words } from '../words.ts';
import { type Draft, mergeDraft } from './draft.ts';

/** Who changed a resource last, and when. */
export interface LastEdit {
  /** Null where it wasn't a person. */
  readonly name: string | null;
  readonly at: string;
}

interface ConflictProps {
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly by: LastEdit;
  /** Go on with this, as a change of what it is now. */
  readonly settle: (draft: Draft) => void;
}

/** What somebody else saved in the meantime, and the ways to go on. */
export function Conflict({ mine, theirs, by, settle }: ConflictProps) {
  const { draft, contested } = mergeDraft(mine, theirs);
  return (
    <section className="conflict" role="alert" aria-label={words.edit.conflict}>
      <p>
        {by.name !== null && <Avatar name={by.name} />}{' '}
        <b>
          {words.edit.editedBy} <bdi>{by.name ?? words.edit.someone}</bdi>
        </b>
        , <Moment at={by.at} />. {words.edit.textKept} {words.edit.conflictHow}
      </p>
      {contested.map((field) => (
        <dl key={field}>
          <dt className="badge good">{by.name ?? words.edit.other}</dt>
          <dd dir="auto">{changeOf(mine.from[field], theirs[field])}</dd>
          <dt className="badge">{words.edit.you}</dt>
          <dd dir="auto">{changeOf(mine.from[field], mine[field])}</dd>
        </dl>
      ))}
      <details>
        <summary>{words.edit.theirs}</summary>
        {theirs.title !== mine.from.title && <p>{theirs.title}</p>}
        {theirs.description && <p>{theirs.description}</p>}
        <Markdown text={theirs.definition} />
      </details>
      <div className="acts">
        <button type="button" className="main" onClick={() => settle(bothOf(mine, theirs))}>
          {words.edit.mergeBoth}
        </button>
        <button type="button" onClick={() => settle(draft)}>
          {words.edit.keepMine}
        </button>
        <button type="button" onClick={() => settle(theirs)}>
          {by.name === null ? words.edit.takeOther : words.edit.takeOf(by.name)}
        </button>
      </div>
    </section>
  );
}

/** The lines that a text has and the one before had not; what was only taken away is said in words. */
function changeOf(before: string, after: string): string {
  const lines = diffOf(before, after);
  const own = lines.filter(({ of, text }) => of === 'after' && text.trim() !== '');
  if (own.length === 0) return words.edit.removed;
  const isPart = lines.some(({ of, text }) => of === 'both' && text.trim() !== '');
  return (isPart ? '… ' : '') + own.map(({ text }) => text).join(' … ');
}

/** Mine with theirs after it, where both changed a text. */
function bothOf(mine: Draft, theirs: Draft): Draft {
  const { draft, contested } = mergeDraft(mine, theirs);
  const both = (name: 'description' | 'definition', between: string) =>
    contested.includes(name) ? draft[name] + between + theirs[name] : draft[name];
  return {
    ...draft,
    description: both('description', ' '),
    definition: both('definition', '\n\n'),
  };
}
