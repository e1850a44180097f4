// The command `retention`, which deletes at once what is older than the settings say, or counts it.

import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { attachDatabase } from '../database/attach.ts';
import { acrossWorkspaces } from '../database/outside.ts';
import { runCommand } from '../process/command.ts';
import { retain } from '../retain.ts';

const usage = `Usage: npm run retention
       npm run retention -- --dry-run

Deletes what is older than the settings RETENTION_..._DAYS say, as workers do once a day. Works while
the server runs, and while it does not.

  --dry-run    Delete nothing; print how many rows would go.
  --help       Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

process.exitCode = await runCommand({ usage, read: readOptions, run: printRetention });

interface Options {
  readonly help: boolean;
  readonly dryRun: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  return { help: values.help, dryRun: values['dry-run'] };
}

async function printRetention(config: Config, { dryRun }: Options): Promise<void> {
  const database = await attachDatabase(config);
  try {
    const db = acrossWorkspaces(database);
    for await (const { setting, what, days, count } of retain(db, config, { dryRun })) {
      const kept = days === 0 ? 'kept for ever' : `${count} ${dryRun ? 'to delete' : 'deleted'}`;
      console.log(`${setting}=${days}: ${what}, ${kept}`);
    }
  } finally {
    await database.close();
  }
}
