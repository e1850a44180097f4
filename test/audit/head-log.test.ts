// Heads of the chains in the log of a process: one line an hour for each that has grown.

import { afterEach, expect, test, vi } from 'vitest';
import { headLogger } from '../../src/audit/head-log.ts';
import { sealWhatIsDue } from '../../src/audit/seal.ts';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import { hourly } from '../../src/jobs/hourly.ts';
import { openCatalog } from '../catalog.ts';
import { verify } from './sealed-log.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('the head of each workspace is logged at the start and once an hour where it has moved', async () => {
  await using catalog = await openCatalog({ alone: true });
  const other = await catalog.another();
  const lines: object[] = [];
  const info = (fields: object, message: string) => lines.push({ ...fields, message });
  const schedule = hourly(headLogger({ info }));
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const tickAfter = async (minutes: number) => {
    vi.setSystemTime(start + minutes * 60_000);
    await schedule.tick(acrossWorkspaces(catalog.database));
    return lines.splice(0);
  };
  const lineOf = async (workspaceId: string, sealed: number) => {
    const { chains } = await verify(catalog.database);
    const chain = chains.find((one) => one.workspaceId === workspaceId);
    expect(chain?.sealed).toBe(sealed);
    return { workspace: workspaceId, sealed, head: chain?.head, message: 'Head of the audit log' };
  };
  await catalog.tag({ name: 'one' });
  await catalog.tag({ name: 'two' });
  await sealWhatIsDue(catalog.database);

  expect(await tickAfter(0)).toEqual([await lineOf(catalog.workspaceId, 2)]);
  await other.tag({ name: 'of another' });
  await sealWhatIsDue(catalog.database);
  expect(await tickAfter(59)).toEqual([]);
  expect(await tickAfter(61)).toEqual([await lineOf(other.workspaceId, 1)]);
  expect(await tickAfter(122)).toEqual([]);
});
