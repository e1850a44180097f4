// Conflict of two edits: both versions are shown, nothing is overwritten unseen.

import { Markdown } from '../markdown/markdown.tsx';
import { words } from '../words.ts';
import { type Draft, mergeDraft } from './draft.ts';

interface ConflictProps {
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly error: unknown;
  /** Go on with this, as a change of what it is now. */
  readonly settle: (draft: Draft) => void;
}

/** What somebody else saved in the meantime, and the ways to go on. */
export function Conflict({ mine, theirs, error, settle }: ConflictProps) {
  return (
    <div className="conflict" role="alert">
      <p>
        <b>{words.edit.conflict}</b> {error instanceof Error ? error.message : ''}
      </p>
      <p>{words.edit.conflictHow}</p>
      <details open>
        <summary>{words.edit.theirs}</summary>
        {theirs.title !== mine.from.title && <p>{theirs.title}</p>}
        {theirs.description && <p>{theirs.description}</p>}
        <Markdown text={theirs.definition} />
      </details>
      <div className="acts">
        <button type="button" onClick={() => settle(bothOf(mine, theirs))}>
          {words.edit.insertTheirs}
        </button>
        <button type="button" onClick={() => settle(mergeDraft(mine, theirs).draft)}>
          {words.edit.saveAnyway}
        </button>
      </div>
    </div>
  );
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
