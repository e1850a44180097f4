// The lineage of a table with Relay: what is shown follows what changes on the server.

import { createClient } from 'graphql-sse';
import { Suspense, useMemo } from 'react';
import {
  fetchQuery,
  graphql,
  RelayEnvironmentProvider,
  useLazyLoadQuery,
  useRelayEnvironment,
  useSubscription,
} from 'react-relay';
import { Environment, Network, Observable, RecordSource, Store } from 'relay-runtime';
import { oneAtATime } from '../shared/one-at-a-time.ts';
import { Picture } from '../shared/picture.tsx';
import { start, type Wanted } from '../shared/start.tsx';
import type { appChangedSubscription } from './__generated__/appChangedSubscription.graphql.ts';
import type { appLineageQuery } from './__generated__/appLineageQuery.graphql.ts';
import type { appTableQuery } from './__generated__/appTableQuery.graphql.ts';

/** Queries by fetch, and subscriptions by server-sent events. */
function environmentOf({ url, apiKey }: Wanted): Environment {
  const headers = { authorization: `Bearer ${apiKey}` };
  const events = createClient({ url, headers, retryAttempts: 10 });
  return new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(
      async ({ text }, variables) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ query: text, variables }),
        });
        return response.json();
      },
      ({ text }, variables) =>
        Observable.create((sink) =>
          events.subscribe<Record<string, unknown>>(
            { query: text ?? '', variables },
            {
              next: (result) => sink.next(result as never),
              error: (why) => sink.error(Error(String(why))),
              complete: () => sink.complete(),
            },
          ),
        ),
    ),
  });
}

function Table({ name }: { name: string }) {
  const { resourceByName: table } = useLazyLoadQuery<appTableQuery>(
    graphql`
      query appTableQuery($name: String!) {
        resourceByName(titleFull: $name) {
          id
        }
      }
    `,
    { name },
  );
  return table ? <Lineage id={table.id} /> : <p role="alert">There is no table {name}.</p>;
}

const lineageQuery = graphql`
  query appLineageQuery($id: ID!) {
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

function Lineage({ id }: { id: string }) {
  const environment = useRelayEnvironment();
  const { lineage } = useLazyLoadQuery<appLineageQuery>(lineageQuery, { id });
  const shown = lineage?.nodes.map(({ resource }) => resource.id) ?? [id];
  const again = useMemo(() => {
    const force = { networkCacheConfig: { force: true } };
    const ask = () => fetchQuery<appLineageQuery>(environment, lineageQuery, { id }, force);
    return oneAtATime(() => ask().toPromise());
  }, [environment, id]);
  const subscription = useMemo(
    () => ({
      subscription: graphql`
        subscription appChangedSubscription($ids: [ID!]!) {
          lineageChanged(ids: $ids) {
            resourceId
            changedAt
          }
        }
      `,
      variables: { ids: shown },
      // Each is said once at the beginning, and then whenever its lineage changes.
      onNext: () => void again(),
    }),
    [shown.join(), again],
  );
  useSubscription<appChangedSubscription>(subscription);
  return lineage && <Picture {...lineage} />;
}

function App(wanted: Wanted) {
  const environment = useMemo(() => environmentOf(wanted), [wanted.url, wanted.apiKey]);
  return (
    <RelayEnvironmentProvider environment={environment}>
      <Suspense fallback={<p>Loading …</p>}>
        <Table name={wanted.table} />
      </Suspense>
    </RelayEnvironmentProvider>
  );
}

start('Relay', (wanted) => <App {...wanted} />);
