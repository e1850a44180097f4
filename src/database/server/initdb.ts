// Makes a cluster from nothing, with PostgreSQL's own program for it.

import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './cluster.ts';
import type { Account } from './os-account.ts';
import type { Programs } from './programs.ts';
import { superuser } from './superuser.ts';

/**
 * Make a cluster in `parent`, which is empty and only ours. Everyone on this machine who may enter the
 * folder can log in without a password until `accessRules` are written to its `pg_hba.conf`.
 * Returns the cluster's folder; throws with what initdb said when it fails.
 */
export function initCluster(
  programs: Programs,
  account: Account,
  parent: string,
  configuration: string,
): string {
  const cluster = join(parent, 'cluster');
  if (account.owner) chownSync(parent, account.owner.uid, account.owner.gid);
  const [command = '', ...args] = [
    ...account.prefix,
    ...[programs.initdb, '-D', cluster, '-U', superuser, '--auth=trust', '--no-sync'],
    // Two segments are copied with every new data folder.
    '--wal-segsize=4',
    // Characters of every language in one order that never changes with a library of the system.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ];
  const { status, stderr, error } = spawnSync(command, args, {
    ...account.spawnAs,
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  if (status !== 0) {
    const reason = error?.message ?? stderr.trim();
    throw new Error(`The database could not be made: ${reason}`);
  }
  writePrivate(join(cluster, 'postgresql.conf'), configuration, account);
  return cluster;
}
