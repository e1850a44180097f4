// The lineage of a table with urql: what is shown follows what changes on the server.

import { createClient as createEvents } from 'graphql-sse';
import { useEffect, useMemo } from 'react';
import {
  Client,
  fetchExchange,
  gql,
  Provider,
  subscriptionExchange,
  useClient,
  useQuery,
  useSubscription,
} from 'urql';
import { oneAtATime } from '../shared/one-at-a-time.ts';
import { Picture } from '../shared/picture.tsx';
import { start, type Wanted } from '../shared/start.tsx';
import { LineageChangedDocument, LineageOfDocument, TableByNameDocument } from './generated.ts';

// GraphQL Code Generator reads these, and makes the typed documents that are imported above.
gql`
  query TableByName($name: String!) {
    resourceByName(titleFull: $name) {
      id
      titleFull
    }
  }
`;
gql`
  query LineageOf($id: ID!) {
    lineage(from: [$id], depth: 2, maxNodes: 100) {
      truncatedReason
      nodes {
        depth
        direction
        resource {
          id
          kind
          title
        }
      }
      edges {
        sourceId
        targetId
      }
    }
  }
`;
gql`
  subscription LineageChanged($ids: [ID!]!) {
    lineageChanged(ids: $ids) {
      resourceId
      changedAt
    }
  }
`;

/** Queries by fetch, and subscriptions by server-sent events. */
function clientOf({ url, apiKey }: Wanted): Client {
  const headers = { authorization: `Bearer ${apiKey}` };
  const events = createEvents({ url, headers, retryAttempts: 10 });
  return new Client({
    url,
    fetchOptions: { headers },
    // A query by GET would need a header that keeps other pages from sending it.
    preferGetMethod: false,
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: events.subscribe({ query, variables: { ...variables } }, sink),
          }),
        }),
      }),
    ],
  });
}

function Table({ name }: { name: string }) {
  const [{ data, error }] = useQuery({ query: TableByNameDocument, variables: { name } });
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return <p>Loading …</p>;
  const table = data.resourceByName;
  return table ? <Lineage id={table.id} /> : <p role="alert">There is no table {name}.</p>;
}

function Lineage({ id }: { id: string }) {
  const client = useClient();
  const [{ data, error }] = useQuery({ query: LineageOfDocument, variables: { id } });
  const shown = data?.lineage?.nodes.map(({ resource }) => resource.id) ?? [id];
  const ids = useMemo(() => shown, [shown.join()]);
  const again = useMemo(() => {
    const now = { requestPolicy: 'network-only' } as const;
    return oneAtATime(() => client.query(LineageOfDocument, { id }, now).toPromise());
  }, [client, id]);
  const [{ data: news }] = useSubscription({ query: LineageChangedDocument, variables: { ids } });
  // Each is said once at the beginning, and then whenever its lineage changes.
  useEffect(() => void (news && again()), [news, again]);
  if (error) return <p role="alert">{error.message}</p>;
  if (!data?.lineage) return <p>Loading …</p>;
  return <Picture {...data.lineage} />;
}

function App(wanted: Wanted) {
  const client = useMemo(() => clientOf(wanted), [wanted.url, wanted.apiKey]);
  return (
    <Provider value={client}>
      <Table name={wanted.table} />
    </Provider>
  );
}

start('urql', (wanted) => <App {...wanted} />);
