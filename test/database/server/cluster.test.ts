// The cluster as a copy of the template: whole, also where a start before this one was killed halfway.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterName, createCluster } from '../../../src/database/server/cluster.ts';

test('what a killed start left is thrown away, and the copy is whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-cluster-'));
  try {
    const [template, dataDir] = [join(folder, 'template'), join(folder, 'data')];
    mkdirSync(join(template, 'base', '1'), { recursive: true });
    writeFileSync(join(template, 'PG_VERSION'), '18\n');
    writeFileSync(join(template, 'base', '1', '1259'), 'rows');
    const left = join(dataDir, `${clusterName}.new`);
    mkdirSync(join(left, 'base'), { recursive: true });
    writeFileSync(join(left, 'base', 'half'), 'half a file');

    await createCluster(dataDir, template, async () => {});

    const cluster = join(dataDir, clusterName);
    expect(readFileSync(join(cluster, 'base', '1', '1259'), 'utf8')).toBe('rows');
    expect(existsSync(join(cluster, 'base', 'half'))).toBe(false);
    expect(existsSync(left)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('without a template there is a sentence that says what to do', async () => {
  await expect(createCluster('/nowhere', '/nowhere', async () => {})).rejects.toThrow(
    'Run npm run build.',
  );
});
