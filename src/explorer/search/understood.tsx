// How a query was understood: its filters, the words that no result has, and what may have been meant.

import { words } from '../words.ts';
import type { SearchResultsData } from './page.graphql';

interface UnderstoodProps {
  readonly found: SearchResultsData['search'];
  readonly query: string;
  /** Asks for something else. */
  readonly ask: (query: string) => void;
}

/** A line for each thing to know; nothing where the query was taken as it is. */
export function Understood({ found, query, ask }: UnderstoodProps) {
  const { filters, hints, missingWords, suggestion } = found;
  return (
    <>
      {filters.length > 0 && (
        <p className="understood">
          {filters.map(({ text }) => (
            <button
              key={text}
              type="button"
              aria-label={words.search.without(text)}
              onClick={() => ask(query.replace(text, '').replaceAll(/\s+/g, ' ').trim())}
            >
              {text} ×
            </button>
          ))}
        </p>
      )}
      {hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      {suggestion !== null && (
        <p>
          {words.search.meant}{' '}
          <button type="button" className="link" onClick={() => ask(suggestion)}>
            {suggestion}
          </button>
        </p>
      )}
      {missingWords.length > 0 && (
        <p className="quiet">{words.search.missing(missingWords.join(', '))}</p>
      )}
    </>
  );
}
