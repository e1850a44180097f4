// Runs in a worker thread: replays one series after another, as the main thread asks.

import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../../process/thread.ts';
import { backtest } from './backtest.ts';
import {
  buffersOf,
  type FromBacktest,
  packBacktest,
  type SeriesMessage,
  unpackSeries,
} from './backtest-message.ts';

lowerPriority();

parentPort?.on('message', ({ series, setup }: SeriesMessage) => {
  const answer = packBacktest(backtest(unpackSeries(series), setup));
  say({ kind: 'answer', answer }, buffersOf(answer));
});
say({ kind: 'ready' }, []);

function say(message: FromBacktest, handedOver: ArrayBuffer[]): void {
  parentPort?.postMessage(message, handedOver);
}
