// Threads that work for one request let those that work for all go first.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { openSqlEngine } from '../../src/lineage/sql/engine.ts';
import { cpuOfThread, idOfThread } from '../../src/process/thread.ts';

const tasks = '/proc/self/task';

/** How far each thread of this process stands back. */
function standings(): number[] {
  return readdirSync(tasks).map((thread) => {
    const stat = readFileSync(`${tasks}/${thread}/stat`, 'utf8');
    // The name of a thread may hold blanks and brackets; of what follows it the 17th is meant.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

test.skipIf(!existsSync(tasks))(
  'a thread that parses SQL stands back, and no other one does',
  async () => {
    const own = getPriority();
    const before = standings().filter((one) => one === own + 5);
    const engine = openSqlEngine({ threads: 1 });
    try {
      await engine.trace({ sql: 'select a from t', dialect: 'postgres' });
      expect(standings().filter((one) => one === own + 5)).toHaveLength(before.length + 1);
      expect(getPriority()).toBe(own);
    } finally {
      await engine.close();
    }
  },
);

test.skipIf(!existsSync(tasks))(
  'what a thread waits does not count as its CPU, what it works does',
  () => {
    const used = () => cpuOfThread(idOfThread()) ?? Number.NaN;
    const before = used();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    expect(used() - before).toBeLessThan(250);
    while (used() - before < 250) Math.sqrt(Math.random());
    expect(cpuOfThread(2 ** 30)).toBeNull();
  },
);
