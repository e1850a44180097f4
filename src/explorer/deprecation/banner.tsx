// Banner of what is deprecated: since when, what to use in its place, and why.

import { useState } from 'react';
import { Link } from 'wouter';
import { Problem } from '../parts/problem.tsx';
import { later } from '../window/later.tsx';
import { deprecationWords as words } from '../words/resource.ts';
import { type DeprecationProps, mayDeprecate, useDeprecation } from './use-deprecation.ts';

/** The form, which is loaded when it is opened. */
export const LaterDeprecationForm = later(async () => (await import('./form.tsx')).DeprecationForm);

/** The banner; nothing where it is not deprecated. */
export function DeprecationBanner({ of, renewed }: DeprecationProps) {
  const [isOpen, setOpen] = useState(false);
  const { set, error, isBusy } = useDeprecation({ of, renewed });
  if (!of.deprecation) return null;
  const { since, note, successor } = of.deprecation;
  return (
    <div className="deprecated">
      <p>
        <b>{words.since(since)}</b>
        {successor && (
          <>
            {words.use} <Link href={`/resource/${successor.id}`}>{successor.title}</Link>
          </>
        )}
      </p>
      {note && <p dir="auto">{note}</p>}
      {mayDeprecate(of) && (
        <p className="steps-of">
          <button type="button" onClick={() => setOpen(true)}>
            {words.edit}
          </button>
          <button type="button" disabled={isBusy} onClick={() => set(null)}>
            {words.end}
          </button>
        </p>
      )}
      {error && <Problem error={error} />}
      {isOpen && <LaterDeprecationForm of={of} renewed={renewed} close={() => setOpen(false)} />}
    </div>
  );
}
