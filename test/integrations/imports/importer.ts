// Imports a made-up file into a database, as a process of its own that a test can kill.
//
// Arguments: the database's address; workspace; integration; and the step in which to stand still until
// it is killed.

import { writeSync } from 'node:fs';
import { serverViewer } from '../../../src/auth/viewer.ts';
import { contextFor } from '../../../src/context.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { importJsonl } from '../../../src/integrations/imports/sync.ts';
import { testSurroundings } from '../../surroundings.ts';

const [databaseUrl, workspaceId = '', integrationId = '', step] = process.argv.slice(2);
const tables = 500;

const database = await openDatabase({ databaseUrl });
await importJsonl(
  { ...contextFor(database, serverViewer(workspaceId)), surroundings: testSurroundings() },
  integrationId,
  {
    resources: { file: 'resources_file', bytes: rows() },
    lineages: { file: 'lineages_file', bytes: edges() },
  },
  {
    watch: {
      log: (line) => console.log(line),
      progress(current, done) {
        if (current !== step || done === 0) return;
        writeSync(1, `step: ${step}\n`);
        // Nothing else of this process goes on in the meantime: the step has begun and not ended.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      },
    },
  },
);
await database.close();

async function* rows() {
  for (let n = 0; n < tables; n++) {
    yield line({ entity_type: 'table', databuilder_id: `t${n}`, title: `table ${n}` });
  }
}

async function* edges() {
  const end = (n: number) => ({ internal_resource: { databuilder_id: `t${n}` } });
  for (let n = 1; n < tables; n++)
    yield line({ from_identifier: end(n - 1), to_identifier: end(n) });
}

function line(row: object) {
  return Buffer.from(`${JSON.stringify(row)}\n`);
}
