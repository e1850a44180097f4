// Runs in a worker thread: parses and traces one text after another, as the engine asks.
import { parentPort } from 'node:worker_threads';
import { CatalogError } from '../../errors.ts';
import type { StatementLineage } from './answer.ts';
import type { FromTracer, ToThread } from './message.ts';
import { finish, type Prepared, prepare } from './script.ts';

let prepared: Prepared | null = null;

parentPort?.on('message', (message: ToThread) => {
  try {
    if (message.kind === 'question') begin(prepare(message.question));
    else if (prepared) end(prepared, message);
  } catch (error) {
    prepared = null;
    const message = error instanceof Error ? error.message : String(error);
    say({ kind: 'failed', message, broken: !(error instanceof CatalogError) });
  }
});
// Not before all modules have ended their loading: until then the thread can't be ended safely.
setImmediate(() => say({ kind: 'ready' }));

function begin(next: Prepared): void {
  prepared = next;
  say({ kind: 'names', names: next.names });
}

function end(last: Prepared, { tables }: Extract<ToThread, { kind: 'tables' }>): void {
  prepared = null;
  const { statements, ...rest } = finish(last, tables);
  let batch: StatementLineage[] = [];
  let size = 0;
  for (const statement of statements) {
    batch.push(statement);
    size += 10 + statement.outputs.length + statement.pairs.length + statement.indirect.length;
    if (size < BATCH) continue;
    say({ kind: 'statements', statements: batch });
    batch = [];
    size = 0;
  }
  say({ kind: 'answer', lineage: { ...rest, statements: batch }, broken: last.broken });
}

// Columns in one message: a few milliseconds of reading.
const BATCH = 5_000;

function say(message: FromTracer): void {
  parentPort?.postMessage(message);
}
