// One of the worker processes of the monitors bench: it lives until it is killed or told to stop, and says what
// it spends.

import { openDatabase } from '../src/database/open.ts';
import { openConnector } from '../src/integrations/connectors/open.ts';
import { startWorker } from '../src/jobs/worker.ts';
import { monitorSchedule, runJob } from '../src/monitors/runs/due.ts';
import { runHandler } from '../src/monitors/runs/run.ts';
import { type Spent, surroundings } from './monitors-settings.ts';

const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, migrations: null });
const statements = new Map<string, number>();
database.onStatement((text) => {
  const start = text.replaceAll(/\s+/g, ' ').slice(0, 70);
  statements.set(start, (statements.get(start) ?? 0) + 1);
});
const worker = startWorker({
  database,
  surroundings,
  handlers: { [runJob]: runHandler(openConnector) },
  schedules: [monitorSchedule],
  leaseSeconds: 3,
  onError: (error) => console.error(error),
});
process.on('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await worker.stop();
  await database.close();
  process.exit(0);
});

const begun = process.cpuUsage();
function say(): void {
  const { user, system } = process.cpuUsage(begun);
  const spent: Spent = { cpuMs: (user + system) / 1_000, statements: [...statements] };
  process.send?.(spent);
}
setInterval(say, 250);
say();
