// One of the worker processes of the monitors bench: it lives until it is killed.

import { openDatabase } from '../src/database/open.ts';
import { openConnector } from '../src/integrations/connectors/open.ts';
import { useIntegrationSettings } from '../src/integrations/settings.ts';
import { startWorker } from '../src/jobs/worker.ts';
import { monitorSchedule, runJob } from '../src/monitors/due.ts';
import { runHandler } from '../src/monitors/run.ts';
import { benchSettings } from './monitors-settings.ts';

const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, migrations: null });
useIntegrationSettings(database, benchSettings);
startWorker({
  database,
  handlers: { [runJob]: runHandler(openConnector) },
  schedules: [monitorSchedule],
  leaseSeconds: 3,
  onError: (error) => console.error(error),
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
