// Threads that work for one request let those that work for all go first.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { openSqlEngine } from '../../src/lineage/sql/engine.ts';

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
