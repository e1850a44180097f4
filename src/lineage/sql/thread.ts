// Runs in a worker thread: parses and traces one text after another, as the engine asks.
import { parentPort } from 'node:worker_threads';
import { CatalogError } from '../../errors.ts';
import type { StatementLineage } from './answer.ts';
import type { FromTracer, ToThread } from './message.ts';
import { finish, type Prepared, prepare } from './script.ts';

let prepared: Prepared | null = null;
/** What of an answer is still to be said, each when the one before was read. */
let left: FromTracer[] = [];

parentPort?.on('message', (message: ToThread) => {
  try {
    if (message.kind === 'question') begin(prepare(message.question));
    else if (message.kind === 'more') sayNext();
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
  left = [];
  const { statements, ...rest } = finish(last, tables);
  let batch: StatementLineage[] = [];
  let size = 0;
  for (const statement of statements) {
    batch.push(statement);
    size += 10 + statement.outputs.length + statement.pairs.length + statement.indirect.length;
    if (size < BATCH) continue;
    left.push({ kind: 'statements', statements: batch });
    batch = [];
    size = 0;
  }
  left.push({ kind: 'answer', lineage: { ...rest, statements: batch }, broken: last.broken });
  sayNext();
}

// Columns in one message: a few milliseconds of reading. Of several messages that are there the other side would read
// all in one go.
const BATCH = 5_000;

function sayNext(): void {
  const next = left.shift();
  if (next) say(next);
}

function say(message: FromTracer): void {
  parentPort?.postMessage(message);
}
