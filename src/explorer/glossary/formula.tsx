// Formula of a term: how it is computed, as code.

import { type SyntheticEvent, useState } from 'react';
import { FormActs } from '../parts/form-acts.tsx';
import { termWords as words } from '../words/shelf.ts';
import { mayChange, type TermShown, useTerm, useTermChange } from './use-term.ts';

const longest = 10_000;

/** The formula, and for those who may a way to change it; nothing where there is neither. */
export function Formula({ id }: { id: string }) {
  const term = useTerm(id);
  if (!term || (term.formula === null && !mayChange(term))) return null;
  return <FormulaOf term={term} />;
}

function FormulaOf({ term }: { term: TermShown }) {
  const [isEdited, setEdited] = useState(false);
  return (
    <section className="formula">
      <h2>{words.formula}</h2>
      {isEdited ? (
        <Editing term={term} close={() => setEdited(false)} />
      ) : (
        <>
          {term.formula !== null && (
            <pre>
              <code dir="auto">{term.formula}</code>
            </pre>
          )}
          {mayChange(term) && (
            <button type="button" className="small" onClick={() => setEdited(true)}>
              {term.formula === null ? words.addFormula : words.editFormula}
            </button>
          )}
        </>
      )}
    </section>
  );
}

function Editing({ term, close }: { readonly term: TermShown; readonly close: () => void }) {
  const [text, setText] = useState(term.formula ?? '');
  const { change, error, isBusy } = useTermChange(term);
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    const formula = text.trim() || null;
    if (formula === term.formula) return close();
    change(
      words.formulaChanged,
      { formula },
      { formula: term.formula },
      { isWhole: true, done: close },
    );
  };
  return (
    <form className="form wide" onSubmit={save}>
      <textarea
        rows={3}
        maxLength={longest}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        aria-label={words.formula}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && close()}
      />
      <FormActs says={words.saveFormula} isOff={isBusy} error={error} close={close} />
    </form>
  );
}
