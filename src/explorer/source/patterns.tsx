// A field of patterns, such as the schemas that are read: each is a pill that is removed by itself.

import { useState } from 'react';
import { connectionWords as words } from '../words/connection.ts';

interface PatternsProps {
  readonly id: string;
  readonly label: string;
  /** The patterns, with commas between them. */
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The field: Enter, a comma or leaving it adds what is typed, Backspace takes the last one away. */
export function Patterns({ id, label, value, set }: PatternsProps) {
  const [typed, setTyped] = useState('');
  const all = patternsIn(value);
  const write = (patterns: readonly string[]) => set([...new Set(patterns)].join(', '));
  const add = () => {
    if (typed.trim() === '') return;
    write([...all, ...patternsIn(typed)]);
    setTyped('');
  };
  return (
    <div className="patterns">
      {all.map((pattern) => (
        <span key={pattern} className="badge">
          {pattern}
          <button
            type="button"
            aria-label={words.removePattern(pattern, label)}
            onClick={() => write(all.filter((one) => one !== pattern))}
          >
            ×
          </button>
        </span>
      ))}
      <input
        id={id}
        value={typed}
        placeholder={words.addPattern}
        spellCheck={false}
        autoComplete="off"
        onBlur={add}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' && typed.trim() !== '') || event.key === ',') {
            // Enter sends the form only where nothing waits to be added.
            event.preventDefault();
            add();
          }
          if (event.key === 'Backspace' && typed === '') write(all.slice(0, -1));
        }}
      />
    </div>
  );
}

function patternsIn(text: string): string[] {
  return text
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}
