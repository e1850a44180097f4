// In charge of two people who changed one page: both see both, and nothing is overwritten unseen.

import { Markdown } from '../parts/markdown.tsx';
import { words } from '../words.ts';
import type { Draft } from './draft.ts';

interface ConflictProps {
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly error: unknown;
  /** Go on with this text, as a change of that version. */
  readonly settle: (definition: string, version: number) => void;
}

/** What somebody else saved meanwhile, and the ways to go on. */
export function Conflict({ mine, theirs, error, settle }: ConflictProps) {
  return (
    <div className="conflict" role="alert">
      <p>
        <b>{words.edit.conflict}</b> {error instanceof Error ? error.message : ''}
      </p>
      <p>{words.edit.conflictHow}</p>
      <details open>
        <summary>{words.edit.theirs}</summary>
        {theirs.description && <p>{theirs.description}</p>}
        <Markdown text={theirs.definition} />
      </details>
      <div className="acts">
        <button
          type="button"
          onClick={() => settle(`${mine.definition}\n\n${theirs.definition}`, theirs.version)}
        >
          {words.edit.insertTheirs}
        </button>
        <button type="button" onClick={() => settle(mine.definition, theirs.version)}>
          {words.edit.saveAnyway}
        </button>
      </div>
    </div>
  );
}
