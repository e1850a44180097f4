// The form that each example begins with: which server, which key, which table.

import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

export interface Wanted {
  /** The address of GraphQL, such as http://127.0.0.1:4000/graphql. */
  readonly url: string;
  /** A key with the scope READ. It is kept in the memory of this page alone. */
  readonly apiKey: string;
  /** The full name of a table. */
  readonly table: string;
}

/** Show the form, and below it what `view` makes of what is given there. */
export function start(name: string, view: (wanted: Wanted) => ReactNode): void {
  const root = document.querySelector('main');
  if (root)
    createRoot(root).render(
      <StrictMode>
        <Page name={name} view={view} />
      </StrictMode>,
    );
}

function Page({ name, view }: { name: string; view: (wanted: Wanted) => ReactNode }) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  return (
    <>
      <h1>Lineage with {name}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          const [url, apiKey, table] = ['url', 'apiKey', 'table'].map((one) =>
            String(given.get(one)),
          );
          setWanted({ url: url ?? '', apiKey: apiKey ?? '', table: table ?? '' });
        }}
      >
        <label>
          Server <input name="url" defaultValue="http://127.0.0.1:4000/graphql" />
        </label>{' '}
        <label>
          Key <input name="apiKey" type="password" required />
        </label>{' '}
        <label>
          Table <input name="table" defaultValue="analytics.core.fct_orders" />
        </label>{' '}
        <button type="submit">Show</button>
      </form>
      {wanted && view(wanted)}
    </>
  );
}
