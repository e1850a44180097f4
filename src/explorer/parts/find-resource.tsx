// Picker of one resource by name, as one types.

import { type ReactNode, useState } from 'react';
import type { Operation } from '../asking/operation.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { Chip } from './icon.tsx';
import { type Located, placeOf } from './link.tsx';
import { Problem } from './problem.tsx';

interface FindResourceProps<Found extends Findable> {
  /** Searches what may be chosen. */
  readonly operation: Operation<Answer<Found>, { query: string }>;
  readonly label: string;
  readonly placeholder: string;
  /** What else is to be known of the field. */
  readonly hint?: string;
  /** What is said where nothing is found. */
  readonly none: string;
  readonly choose: (found: Found) => void;
  /** Id of what is never offered. */
  readonly without?: string;
  /** What is said of one in place of where it lies. */
  readonly says?: (found: Found) => string;
}

interface Findable extends Located {
  readonly id: string;
  readonly title: string;
}

interface Answer<Found> {
  readonly search: { readonly nodes: readonly { readonly resource: Found }[] };
}

/** The field, and what was found. */
export function FindResource<Found extends Findable>(props: FindResourceProps<Found>) {
  const { operation, label, placeholder, hint, none, choose, without, says = placeOf } = props;
  const [text, setText] = useState('');
  const query = text.trim();
  const isWanted = query !== '';
  const { data, error } = useAnswer(operation, { query }, { isKept: true, isWanted });
  const nodes = isWanted ? (data?.search.nodes ?? []) : [];
  const found = nodes.filter(({ resource }) => resource.id !== without);
  return (
    <>
      <label className="choice">
        <span>{label}</span>
        <input
          type="search"
          value={text}
          placeholder={placeholder}
          maxLength={200}
          autoComplete="off"
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {hint && <small className="quiet">{hint}</small>}
      </label>
      {error && <Problem error={error} />}
      {isWanted && data && found.length === 0 && <p className="quiet">{none}</p>}
      <ul className="rows">
        {found.map(({ resource }) => (
          <li key={resource.id}>
            <button type="button" className="row" onClick={() => choose(resource)}>
              <Chip kind={resource.kind} />
              <span>
                <b>{resource.title}</b>
                <small>{says(resource)}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChosenProps {
  readonly children: ReactNode;
  /** What the button is called that chooses another one. */
  readonly change: string;
  readonly again: () => void;
}

/** What was chosen. */
export function Chosen({ children, change, again }: ChosenProps) {
  return (
    <p className="picked">
      {children}
      <button type="button" onClick={again}>
        {change}
      </button>
    </p>
  );
}
