// What the gate of restarts counts as a failure.

import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { Balancer } from '../../gates/rolling/balancer.ts';
import { freePort } from '../../scripts/free-port.mjs';

/** A server that is ready, and answers everything else with this. */
async function answering(status: number, body: string) {
  const server = createServer((request, response) => {
    const isCheck = request.url === '/readyz';
    response.writeHead(isCheck ? 200 : status).end(isCheck ? '' : body);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.each([
  ['an answer', 200, '{"data":{"tags":[]}}', 0],
  ['an error of GraphQL that is answered with 200', 200, '{"errors":[{"message":"No"}]}', 1],
  ['a status that refuses', 503, '{}', 1],
])('%s: %i %s, failures', async (_what, status, body, failures) => {
  using server = await answering(status, body);
  const balancer = new Balancer([server.base]);
  try {
    await balancer.readiness(server.base);
    await balancer.send('/graphql', { method: 'POST' });
    expect(balancer.failures).toHaveLength(failures);
    expect(balancer.answered).toBe(1);
  } finally {
    balancer.stop();
  }
});

test('a request for which no server is ready has failed after a second', async () => {
  const balancer = new Balancer([`http://127.0.0.1:${await freePort()}`]);
  try {
    await balancer.send('/graphql', { method: 'POST' });
    expect(balancer.failures).toEqual(['/graphql: no server was ready for 1000 ms']);
    expect(balancer.kept.requests).toBe(1);
    expect(balancer.answered).toBe(0);
  } finally {
    balancer.stop();
  }
});
