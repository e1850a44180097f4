// The thread in which series are replayed: one after another, none for too long.

import type { Worker } from 'node:worker_threads';
import { Semaphore } from '../../../async/semaphore.ts';
import type { Context } from '../../../context.ts';
import { timedOut, unavailable } from '../../../errors.ts';
import { endThread, inThread, openThread } from '../../../process/thread.ts';
import type { Point } from '../learner.ts';
import { type Backtest, type BacktestSetup, checkSetup } from './backtest.ts';
import {
  buffersOf,
  type FromBacktest,
  type PackedBacktest,
  packSeries,
  type SeriesMessage,
  unpackBacktest,
} from './backtest-message.ts';

/** The longest series takes a fraction of it, where the machine has time. */
const timeLimitMs = 5_000;

/** The thread is shared by all; of one key one series at a time is in line for it. */
const line = new Semaphore(1);
let thread: Worker | null = null;

/**
 * Replay a series as `backtest` does, in a thread of its own: others are served in the meantime.
 * Throws BAD_REQUEST as `backtest`, TIMEOUT for a series that takes longer than 5 s, and UNAVAILABLE
 * where the thread can't do its work.
 */
export async function runBacktest(
  ctx: Context,
  points: readonly Point[],
  setup: BacktestSetup,
): Promise<Backtest> {
  checkSetup(points, setup);
  return inThread(ctx, async () => {
    const leave = await line.acquire(ctx.signal);
    try {
      return unpackBacktest(await ask({ series: packSeries(points), setup }));
    } finally {
      leave();
    }
  });
}

function ask(question: SeriesMessage): Promise<PackedBacktest> {
  thread ??= openThread(new URL('./backtest-thread.ts', import.meta.url));
  const worker = thread;
  // A thread at rest does not keep the process alive.
  worker.ref();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      giveUp(timedOut(`The series took longer than ${timeLimitMs / 1000} s: send fewer points.`));
    }, timeLimitMs);
    const receive = (message: FromBacktest) => {
      if (message.kind !== 'answer') return;
      stop();
      resolve(message.answer);
    };
    const fail = () => giveUp(unavailable('The backtest could not be calculated; try again.'));
    const stop = () => {
      clearTimeout(late);
      worker.off('message', receive).off('error', fail).off('exit', fail);
      worker.unref();
    };
    const giveUp = (error: Error) => {
      stop();
      thread = null;
      void endThread(worker);
      reject(error);
    };
    worker.on('message', receive).on('error', fail).on('exit', fail);
    worker.postMessage(question, buffersOf(question.series));
  });
}
