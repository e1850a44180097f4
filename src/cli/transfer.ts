// The commands that send files: imports, and the review of a change.

import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findIntegration, findResource } from './named-thing.ts';
import { print } from './print.ts';
import { ask, CommandEnd, rest } from './server.ts';

export interface ImportFlags {
  readonly into: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

const artifacts = ['manifest.json', 'catalog.json', 'run_results.json', 'sources.json'];

/** `import FILE...`: CSV, JSONL, or the folder of a project's artifacts. */
export async function importFiles(paths: readonly string[], flags: ImportFlags): Promise<void> {
  const files = (await Promise.all(paths.map(filesIn))).flat();
  const { route, form } = await formOf(files);
  const id = await findIntegration(flags.into);
  const query = new URLSearchParams({
    ...(flags.dryRun ? { dry_run: 'true' } : { async: 'true' }),
    ...(flags.force ? { force: 'true' } : {}),
  });
  const text = await rest(`${route(id)}?${query}`, { method: 'POST', body: form });
  const answer = JSON.parse(text);
  if (flags.dryRun) {
    const { created = 0, updated = 0, staled = 0 } = answer;
    print(flags, answer, `${created} to create, ${updated} to update, ${staled} to become stale`);
    if (created + updated + staled > 0)
      throw new CommandEnd('check says no', 'The import would change that.');
    return;
  }
  if (flags.wait) await follow(answer.id, flags);
  else print(flags, answer, `The import goes on as job ${answer.id}.`);
}

async function filesIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new CommandEnd('usage', `There is no file ${path}.`);
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => artifacts.includes(name));
  if (names.includes('manifest.json')) return names.map((name) => join(path, name));
  throw new CommandEnd('usage', `${path} has no manifest.json.`);
}

/** Where files go, and the form that carries them. */
async function formOf(files: readonly string[]) {
  const form = new FormData();
  const add = async (field: string, file: string) =>
    form.append(field, await openAsBlob(file), basename(file));
  const names = files.map((file) => basename(file));
  if (names.every((name) => artifacts.includes(name))) {
    for (const file of files) await add(basename(file, '.json'), file);
    return { form, route: (id: string) => `/integration/transform/${id}/upload_artifacts/` };
  }
  const [file = ''] = files;
  if (files.length === 1 && file.endsWith('.csv')) {
    await add('file', file);
    return { form, route: (id: string) => `/integration/integrations/${id}/import_metadata` };
  }
  if (files.length > 2 || !names.every((name) => /\.(jsonl|ndjson)$/.test(name))) {
    throw new CommandEnd(
      'usage',
      'Give one CSV file, up to two JSONL files, or artifacts of a project.',
    );
  }
  for (const one of files)
    await add(/lineage/i.test(one) ? 'lineages_file' : 'resources_file', one);
  return { form, route: (id: string) => `/integration/integrations/${id}/import_jsonl_metadata` };
}

interface Job {
  readonly id: string;
  readonly state: string;
  readonly title: string;
  readonly progressStep: string | null;
  readonly lastError: string | null;
  readonly result: unknown;
}

/** Wait for a job, saying how far it is on a terminal. Throws `CommandEnd` where it fails. */
export async function follow(id: string, flags: { readonly json?: boolean }): Promise<void> {
  let step = '';
  for (;;) {
    const { job } = await ask<{ job: Job | null }>(
      'query ($id: ID!) { job(id: $id) { id state title progressStep lastError result } }',
      { id },
    );
    if (!job) throw new CommandEnd('not found', `There is no job ${id}.`);
    if (job.progressStep && job.progressStep !== step && process.stderr.isTTY) {
      step = job.progressStep;
      console.error(step);
    }
    if (job.state === 'succeeded') return print(flags, job, `${job.title}: done`);
    if (job.state !== 'queued' && job.state !== 'running') {
      throw new CommandEnd('failed', `${job.title}: ${job.lastError ?? job.state}`);
    }
    await sleep(500);
  }
}

export interface ImpactFlags {
  readonly manifest?: string;
  readonly base?: string;
  readonly into?: string;
  readonly markdown?: boolean;
  readonly failOn?: string;
  readonly json?: boolean;
}

interface Impact {
  readonly counts: readonly { readonly kind: string; readonly count: number }[];
  readonly tables: readonly { readonly resource: { readonly titleFull: string } | null }[];
  readonly truncated: boolean;
}

/** How many tables a change reaches, and whether there may be more. */
interface Reached {
  readonly count: number;
  readonly isMore: boolean;
}

const tablesIn = (count: number) => `${count} ${count === 1 ? 'table' : 'tables'}`;

/** `impact NAME` or `impact --manifest FILE`: what a change would reach. */
export async function showImpact(name: string | undefined, flags: ImpactFlags): Promise<void> {
  if ((name === undefined) === (flags.manifest === undefined)) {
    throw new CommandEnd('usage', 'Give the name of a resource, or --manifest FILE.');
  }
  if (flags.base !== undefined && flags.manifest === undefined) {
    throw new CommandEnd('usage', '--base needs --manifest FILE.');
  }
  const limit = limitOf(flags.failOn);
  const reached = name === undefined ? await ofManifest(flags) : await ofResource(name, flags);
  // What was not counted to its end may be as many.
  if (limit === null || (reached.count < limit && !reached.isMore)) return;
  const least = reached.isMore ? 'at least ' : '';
  throw new CommandEnd(
    'check says no',
    `The change reaches ${least}${tablesIn(reached.count)}; --fail-on allows fewer than ${limit}.`,
  );
}

function limitOf(failOn: string | undefined): number | null {
  if (failOn === undefined) return null;
  const [, count] = /^tables=(\d+)$/.exec(failOn) ?? [];
  if (count === undefined) throw new CommandEnd('usage', '--fail-on takes tables=NUMBER.');
  return Number(count);
}

async function ofResource(name: string, flags: ImpactFlags): Promise<Reached> {
  const { impact } = await ask<{ impact: Impact | null }>(
    `query ($of: [ID!]!) { impact(of: $of) {
      counts { kind count } tables(first: 1000) { resource { id titleFull } depth } truncated } }`,
    { of: [await findResource(name)] },
  );
  const { counts = [], tables = [], truncated = false } = impact ?? {};
  const count = counts.find(({ kind }) => kind === 'table')?.count ?? 0;
  const names = tables.map(({ resource }) => resource?.titleFull ?? '(hidden)');
  if (count > names.length) names.push(`and ${tablesIn(count - names.length)} more`);
  const words = flags.markdown ? names.map((one) => `- ${one}`) : names;
  print(flags, impact, words.join('\n') || 'It reaches nothing.');
  return { count, isMore: truncated };
}

async function ofManifest({ manifest = '', base, into, ...flags }: ImpactFlags): Promise<Reached> {
  const [file = manifest] = await filesIn(manifest);
  const form = new FormData();
  form.append('manifest', await openAsBlob(file), 'manifest.json');
  if (base !== undefined) form.append('base', await manifestAt(base, file), 'manifest.json');
  if (into !== undefined) form.append('integration_id', await findIntegration(into));
  const answer = JSON.parse(await rest('/lineage/impact', { method: 'POST', body: form }));
  print(flags, answer, answer.markdown);
  return { count: answer.tables.length, isMore: answer.truncated };
}

const longestManifest = 500_000_000;

/** The manifest to compare with: a file, a folder that holds one, or the same file as git has it at a ref. */
async function manifestAt(base: string, file: string): Promise<Blob> {
  if (await stat(base).catch(() => null)) {
    const [path = base] = await filesIn(base);
    return openAsBlob(path);
  }
  const options = { cwd: dirname(file), maxBuffer: longestManifest };
  // What begins with a dash would be an option of git.
  const spec = base.startsWith('-') ? '' : `${base}:./${basename(file)}`;
  const git = promisify(execFile);
  const { stdout } = await git('git', ['show', spec], options).catch(() => {
    throw new CommandEnd('usage', `--base: there is no file ${base}, and git has no ${spec}.`);
  });
  return new Blob([stdout]);
}
