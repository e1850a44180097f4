// Measures sqlglot's own lineage on the same queries, where a Python with sqlglot is at hand.
import { spawnSync } from 'node:child_process';
import type { Case } from './score.ts';

const SCRIPT = `
import json, sys, time
try:
    import sqlglot
    from sqlglot import exp
    from sqlglot.lineage import lineage
except ImportError:
    print(json.dumps(None)); sys.exit(0)
cases = json.load(sys.stdin)
def run():
    failed = 0
    start = time.process_time()
    for case in cases:
        try:
            tree = sqlglot.parse_one(case["sql"])
            for column in tree.named_selects:
                lineage(column, tree, schema=case["schema"])
        except Exception:
            failed += 1
    return (time.process_time() - start) * 1000, failed
run()
best, failed = run()
print(json.dumps({"ms": best, "failed": failed, "version": sqlglot.__version__}))
`;

/** Print how much CPU sqlglot takes for the cases, besides `ours` (milliseconds). */
export function compareWithSqlglot(python: string, cases: readonly Case[], ours: number): void {
  const input = JSON.stringify(cases.map(({ sql, schema }) => ({ sql, schema })));
  const { status, stdout } = spawnSync(python, ['-c', SCRIPT], {
    input,
    encoding: 'utf8',
    timeout: 600_000,
  });
  const peer: { ms: number; failed: number; version: string } | null =
    status === 0 ? JSON.parse(stdout) : null;
  if (!peer) {
    console.log('sqlglot            not installed; nothing to compare with');
    return;
  }
  const times = (peer.ms / ours).toFixed(1);
  console.log(
    `sqlglot            ${peer.version}: ${peer.ms.toFixed(0)} ms CPU, ${peer.failed} failed;`,
    `${times} times ours`,
  );
}
