// Runs in a worker thread: parses and traces one text after another, as the engine asks.
import { parentPort } from 'node:worker_threads';
import { CatalogError } from '../../errors.ts';
import type { FromThread, ToThread } from './message.ts';
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
say({ kind: 'ready' });

function begin(next: Prepared): void {
  prepared = next;
  say({ kind: 'names', names: next.names });
}

function end(last: Prepared, { tables }: Extract<ToThread, { kind: 'tables' }>): void {
  prepared = null;
  say({ kind: 'answer', lineage: finish(last, tables), broken: last.broken });
}

function say(message: FromThread): void {
  parentPort?.postMessage(message);
}
