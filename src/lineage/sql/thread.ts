// Runs in a worker thread: parses and traces one text after another, as the engine asks.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { CatalogError, messageOf } from '../../errors.ts';
import { idOfThread, lowerPriority } from '../../process/thread.ts';
import type { FromTracer, ToThread } from './message.ts';
import { piecesOf, portWith } from './pieces.ts';
import { finish, type Prepared, prepare } from './script.ts';

lowerPriority();

let prepared: Prepared | null = null;

parentPort?.on('message', (message: ToThread) => {
  try {
    if (message.kind === 'question') begin(prepare(message.question));
    else if (prepared) end(prepared, message);
  } catch (error) {
    prepared = null;
    say({ kind: 'failed', message: messageOf(error), broken: !(error instanceof CatalogError) });
  }
});
// Not before all modules have ended their loading: until then the thread can't be ended safely.
setImmediate(() => say({ kind: 'ready', threadId: idOfThread() }));

function begin(next: Prepared): void {
  prepared = next;
  say({ kind: 'names', names: next.names });
}

function end(last: Prepared, { tables }: Extract<ToThread, { kind: 'tables' }>): void {
  prepared = null;
  const lineage = finish(last, tables);
  const pieces = piecesOf(lineage.statements);
  const rest = pieces.length > 1 ? portWith(pieces) : null;
  const said = rest ? { ...lineage, statements: [] } : lineage;
  say({ kind: 'answer', lineage: said, rest, broken: last.broken }, rest ? [rest] : []);
}

function say(message: FromTracer, handedOver: readonly MessagePort[] = []): void {
  parentPort?.postMessage(message, handedOver);
}
