// The lineage of a table with Apollo Client: what is shown follows what changes on the server.

import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';
import { useMemo } from 'react';
import { Observable } from 'rxjs';
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

/** Queries by fetch, subscriptions by server-sent events, and a cache that knows things by their ids. */
function clientOf({ url, apiKey }: Wanted): ApolloClient {
  const headers = { authorization: `Bearer ${apiKey}` };
  const events = createClient({ url, headers, retryAttempts: 10 });
  const live = new ApolloLink(
    ({ query, variables }) =>
      new Observable((sink) =>
        events.subscribe<Record<string, unknown>>(
          { query: print(query), variables },
          {
            next: (result) => sink.next(result as ApolloLink.Result),
            error: (error) => sink.error(error),
            complete: () => sink.complete(),
          },
        ),
      ),
  );
  const link = ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    live,
    new HttpLink({ uri: url, headers }),
  );
  // A step of a picture is no thing of its own: the same resource lies elsewhere in another.
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

function Table({ name }: { name: string }) {
  const { data, error } = useQuery(TableByNameDocument, { variables: { name } });
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return <p>Loading …</p>;
  const table = data.resourceByName;
  return table ? <Lineage id={table.id} /> : <p role="alert">There is no table {name}.</p>;
}

function Lineage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(LineageOfDocument, { variables: { id } });
  const ids = data?.lineage?.nodes.map(({ resource }) => resource.id) ?? [id];
  const again = useMemo(() => oneAtATime(() => refetch()), [refetch]);
  useSubscription(LineageChangedDocument, {
    variables: { ids },
    // Each is said once at the beginning, and then whenever its lineage changes.
    onData: () => void again(),
  });
  if (error) return <p role="alert">{error.message}</p>;
  if (!data?.lineage) return <p>Loading …</p>;
  return <Picture {...data.lineage} />;
}

function App(wanted: Wanted) {
  const client = useMemo(() => clientOf(wanted), [wanted.url, wanted.apiKey]);
  return (
    <ApolloProvider client={client}>
      <Table name={wanted.table} />
    </ApolloProvider>
  );
}

start('Apollo Client', (wanted) => <App {...wanted} />);
