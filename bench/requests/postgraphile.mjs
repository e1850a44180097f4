// PostGraphile over the same database, as its documentation sets it up: `node postgraphile.mjs URL PORT`.

import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const [connectionString, port] = process.argv.slice(2);
const preset = {
  extends: [PostGraphileAmberPreset],
  // Lists are sorted by created_at, which leads no index.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ connectionString, schemas: ['public'] })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, websockets: false, maxRequestLength: 1e6 },
  grafast: { explain: false },
  schema: { defaultBehavior: '+orderBy +filterBy +connection +list' },
};

const serv = postgraphile(preset).createServ(grafserv);
const server = createServer();
await serv.addTo(server);
server.listen(Number(port), '127.0.0.1');
