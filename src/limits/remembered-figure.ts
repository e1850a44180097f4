// A figure that costs too much to be read for each that asks.

import { budgets } from '../database/connections/budget.ts';
import { scopes } from '../database/connections/current-transaction.ts';
import { tasks } from '../tracing/task.ts';

/** It is taken as it was for so long. */
const keptMs = 60_000;

/** Something that is read again once a minute by one that asks, on behalf of no request. */
export interface Remembered<T> {
  /** What it is, at most a minute old. */
  read(): Promise<T>;
  /** What it was when it was last read; undefined before the first time. It is read again in the background. */
  last(): T | undefined;
}

/** Remember what some work answers. */
export function remembered<T>(work: () => Promise<T>): Remembered<T> {
  let value: T | undefined;
  let until = 0;
  let reading: Promise<T> | null = null;
  const readAgain = async () => {
    try {
      value = await tasks.exit(() => budgets.exit(() => scopes.exit(work)));
      until = performance.now() + keptMs;
      return value;
    } finally {
      reading = null;
    }
  };
  const read = async () => {
    if (value !== undefined && performance.now() < until) return value;
    reading ??= readAgain();
    return reading;
  };
  return {
    read,
    last() {
      // Who waits for it within a transaction would keep a connection from others.
      void read().catch(() => {});
      return value;
    },
  };
}
