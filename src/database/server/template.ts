// Makes the cluster that new ones start as a copy of: empty, with every migration applied.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../open.ts';
import { startChild } from './child.ts';
import { initCluster } from './initdb.ts';
import { linkLibraries } from './libraries.ts';
import { initdbAccount } from './os-account.ts';
import { packagedPrograms } from './programs.ts';
import { role, setUpStatements } from './set-up.ts';
import { accessRules, configuration, ownConfiguration } from './settings.ts';
import { socketPort } from './socket.ts';
import { ask } from './superuser.ts';

/**
 * Make the template folder, in place of one that may be there. Done once, by the build: PostgreSQL's
 * own set-up and the migrations take seconds, which every first start then saves. Everyone may read
 * the result, so that a program that one user built can be started by another.
 */
export async function makeTemplate(folder: string): Promise<void> {
  linkLibraries();
  const programs = packagedPrograms();
  const parent = mkdtempSync(join(tmpdir(), 'headwater-template-'));
  try {
    const account = initdbAccount(programs, tmpdir());
    const settings = configuration({ durability: 'relaxed', maxConnections: 5, port: null });
    const cluster = initCluster(programs, account, parent, settings);
    const logFile = join(parent, 'log');
    const server = await startChild({ programs, account, cluster, logFile, descriptor: 'ignore' });
    try {
      await fill(cluster);
    } finally {
      await server.stop();
    }
    writeFileSync(join(cluster, 'postgresql.conf'), ownConfiguration);
    writeFileSync(join(cluster, 'pg_hba.conf'), accessRules);
    const unfinished = `${folder}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    copyReadable(cluster, unfinished);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Make the role, the database and its tables. */
async function fill(cluster: string): Promise<void> {
  for (const statement of [
    `create role ${role} login nosuperuser nocreatedb nocreaterole`,
    `create database ${role} owner ${role}`,
    `revoke all on database ${role} from public`,
  ]) {
    await ask(cluster, 'postgres', statement);
  }
  const address = `postgresql://${role}@localhost:${socketPort}/${role}?host=${encodeURIComponent(cluster)}`;
  const database = await openDatabase({ databaseUrl: address, maxConnections: 1 });
  await database.close();
  for (const statement of [
    ...setUpStatements,
    'vacuum (freeze, analyze)',
    // Three quarters of all files, which would be copied with each data folder for nothing.
    'update pg_database set datistemplate = false',
    ...['template0', 'template1', 'postgres'].map((name) => `drop database ${name}`),
    'checkpoint',
  ]) {
    await ask(cluster, role, statement);
  }
}

function copyReadable(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyReadable(source, target);
    else if (entry.isFile()) {
      copyFileSync(source, target);
      chmodSync(target, 0o644);
    }
  }
}
