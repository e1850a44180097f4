// A worker in a process of its own, for tests that kill it: `node --import tsx worker-process.ts
// KIND`.

import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/transaction.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createTag } from '../../src/tags/tag.ts';
import { testSurroundings } from '../surroundings.ts';

const [kind = ''] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, migrations: null });

startWorker({
  database,
  surroundings: testSurroundings(),
  leaseSeconds: 3,
  onError: (error) => console.error(error),
  handlers: {
    async [kind](run) {
      process.stdout.write(`running ${run.job.id}\n`);
      await sleep(1_000);
      await transaction(run.ctx, async (tx) => {
        await createTag(tx, { name: `${run.job.title}, attempt ${run.job.attempts}` });
        await run.complete(tx);
      });
      process.stdout.write(`completed ${run.job.id}\n`);
    },
  },
});
