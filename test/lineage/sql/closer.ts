// A program that closes SQL engines while their threads are being loaded, at one moment after another.

import { setTimeout as sleep } from 'node:timers/promises';
import { openSqlEngine } from '../../../src/lineage/sql/engine.ts';

const question = { sql: 'SELECT a FROM t', dialect: 'postgres' };

const started = performance.now();
const whole = openSqlEngine({ threads: 1 });
await whole.trace(question);
const loading = performance.now() - started;
await whole.close();

for (let percent = 30; percent <= 100; percent += 10) {
  const engine = openSqlEngine({ threads: 1 });
  engine.trace(question).catch(() => {});
  await sleep((loading * percent) / 100);
  await engine.close();
  console.log(`closed after ${percent} %`);
}
