// Status of a term, and the step that follows it.

import { Problem } from '../parts/problem.tsx';
import { termWords as words } from '../words/shelf.ts';
import { mayChange, type TermShown, useTerm, useTermChange } from './use-term.ts';

type Status = TermShown['termStatus'];

const tones: Readonly<Record<Status, string>> = {
  draft: '',
  in_review: 'warning',
  approved: 'good',
};

const next: Readonly<Record<Status, Status | null>> = {
  draft: 'in_review',
  in_review: 'approved',
  approved: null,
};

/** The status as a word with a colour. */
export function TermStatus({ id }: { id: string }) {
  const term = useTerm(id);
  if (!term) return null;
  return <span className={`badge ${tones[term.termStatus]}`}>{words.status[term.termStatus]}</span>;
}

/** The button that takes it a step further; nothing where there is none, or the viewer may not. */
export function NextStep({ id }: { id: string }) {
  const term = useTerm(id);
  const to = term && mayChange(term) ? next[term.termStatus] : null;
  return term && to ? <Step term={term} to={to} isMain /> : null;
}

/** The way back to a draft. */
export function BackToDraft({ term }: { term: TermShown }) {
  return term.termStatus === 'draft' ? null : <Step term={term} to="draft" />;
}

interface StepProps {
  readonly term: TermShown;
  readonly to: Status;
  readonly isMain?: boolean;
}

function Step({ term, to, isMain = false }: StepProps) {
  const { change, error, isBusy } = useTermChange(term);
  const set = () =>
    change(
      words.changed[to],
      { termStatus: to },
      { termStatus: term.termStatus },
      { isWhole: true },
    );
  return (
    <>
      <button type="button" className={isMain ? 'main' : 'small'} disabled={isBusy} onClick={set}>
        {words.step[to]}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}
