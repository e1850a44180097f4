import { packagedUrl } from '../src/database/attach.ts';
import { longestTask } from '../test/longest-task.ts';
import { alone } from './beside.ts';
import { fillForDearest } from './dearest/data.ts';
import { runAtOnce } from './dearest/run.ts';
import { startForGate } from './server.ts';

await using server = await startForGate();
const { address, key, viewerKey, started, dataDir } = server;
await fillForDearest(packagedUrl(dataDir));
const options = { address, key: viewerKey, otherKey: key, atOnce: Number(process.env.AT ?? 50) };
const list = (fields: string) =>
  ({
    name: 'graphql',
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query: `{ resources(first: 1000) { nodes { ${fields} } } }` }),
  }) as const;
const requests = [
  { name: 'rest tables', method: 'GET', path: '/api/v1/table/tables?page_size=1000' },
  { name: 'rest catalog', method: 'GET', path: '/api/v1/resource/catalog?page_size=1000' },
  list('id title description createdAt tags { name } owners { id }'),
] as const;
for (const request of requests) {
  const before = await alone(address, key, 2_000);
  for (let i = 0; i < 2; i++) {
    const { value: run, ms } = await longestTask(started, () => runAtOnce(options, request));
    console.log(
      request.name,
      [...run.answers].map(([a, n]) => `${n} x ${a}`).join(),
      run.ms.toFixed(0),
      'longest',
      ms,
      [...run.others]
        .map(
          ([n, t]) =>
            `${n} ${t.p99.toFixed(0)}/${t.max.toFixed(0)} (${before.get(n)?.p99.toFixed(0)})`,
        )
        .join('; '),
    );
  }
}
