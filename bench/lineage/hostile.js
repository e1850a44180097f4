// Asks the engine hostile SQL, and measures how long an answer and the event loop have to wait.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openSqlEngine } from '../../src/lineage/sql/engine.js';
import { hostile } from '../../test/lineage/sql/hostile.js';
/** Print the slowest answer and the longest wait of the event loop over all hostile texts. */
export async function printHostile() {
  const engine = openSqlEngine();
  const ask = (sql, dialect = 'postgres') => engine.trace({ sql, dialect });
  await ask('SELECT a FROM t');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let slowest = 0;
  let works = 0;
  for (const { sql, dialect } of Object.values(hostile)) {
    const start = performance.now();
    await ask(sql, dialect);
    slowest = Math.max(slowest, performance.now() - start);
    const { statements } = await ask('SELECT a FROM t');
    if (statements[0]?.pairs.length === 1) works++;
  }
  delay.disable();
  await engine.close();
  const count = Object.keys(hostile).length;
  console.log(
    `hostile            ${count} texts, the next one worked ${works} times,`,
    `slowest ${slowest.toFixed(0)} ms, longest wait of the event loop`,
    `${(delay.max / 1e6).toFixed(0)} ms (p99 ${(delay.percentile(99) / 1e6).toFixed(0)})`,
  );
}
