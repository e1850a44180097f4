// The process whose memory the import bench measures: it opens the database and imports the files.

import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { serverViewer } from '../src/auth/viewer.ts';
import { contextFor } from '../src/context.ts';
import { openDatabase } from '../src/database/open.ts';
import { createIntegration } from '../src/integrations/integration.ts';
import { importJsonl } from '../src/integrations/sync.ts';

/** What to import, and where to. */
export interface Order {
  readonly files: { readonly resources: string; readonly lineages: string };
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly again: boolean;
}

export type Report =
  | { is: 'idle' }
  | { is: 'log'; line: string }
  | { is: 'step'; step: string; ms: number }
  | { is: 'done'; engine: string; ms: number };

const tell = (report: Report) => process.send?.(report);

async function run({ files, dataDir, databaseUrl, again }: Order): Promise<void> {
  if (!databaseUrl) await mkdir(dataDir, { recursive: true });
  const database = await openDatabase({ databaseUrl, dataDir });
  const workspaceId = randomUUID();
  await database.prisma.workspace.create({ data: { id: workspaceId, name: 'Bench' } });
  const ctx = contextFor(database, serverViewer(workspaceId));
  const integration = await createIntegration(ctx, { name: 'Bench' });
  tell({ is: 'idle' });
  await new Promise((resolve) => process.once('message', resolve));
  for (let round = 0; round < (again ? 2 : 1); round++) {
    const started = performance.now();
    const steps = watchSteps();
    const open = (path: string) => ({ file: path, bytes: createReadStream(path) });
    const sources = { resources: open(files.resources), lineages: open(files.lineages) };
    const watch = { log: (line: string) => tell({ is: 'log', line }), progress: steps.at };
    await importJsonl(ctx, integration.id, sources, { watch });
    steps.end();
    tell({ is: 'done', engine: database.engine, ms: performance.now() - started });
  }
  await database.close();
  process.disconnect();
}

/** Says how long each step of the import took. */
function watchSteps() {
  let current = '';
  let since = performance.now();
  const end = () => {
    if (current) tell({ is: 'step', step: current, ms: performance.now() - since });
    since = performance.now();
  };
  return {
    at(step: string) {
      if (step === current) return;
      end();
      current = step;
    },
    end,
  };
}

process.once('message', (order: Order) => {
  run(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
