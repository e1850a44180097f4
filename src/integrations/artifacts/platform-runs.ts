// Runs of a job of the dbt platform, whose artifacts are pulled: each run once.

import { z } from 'zod';
import { invalid } from '../../errors.ts';
import type { NetworkReach } from '../../network/reach.ts';
import type { Scrub } from '../../secrets/redaction.ts';
import { findWeb, parsed } from '../http-sources/http-api.ts';
import { send } from '../http-sources/http-source.ts';
import { retrying } from '../http-sources/retry.ts';
import type { FileSource } from '../readers/source.ts';
import type { ArtifactLogin } from './artifact-fields.ts';
import { type FileAddress, pullFile, refusalOf, rulesOf } from './artifact-file.ts';
import {
  type ArtifactName,
  type ArtifactPlace,
  artifactsOf,
  fileOf,
  type Pulled,
  type PullRequest,
} from './artifact-place.ts';

const name = 'the dbt platform';
const requestMs = 60_000;

/** Runs that are asked for at once, and read at most. */
const mostRuns = 50;
/** Artifacts that are not there so long after a run do not come any more. */
const patienceMs = 3_600_000;
/** Runs that ended well, and those that ended with an error: these hold the tests that fail. */
const ended = [10, 20];

const run = z.object({
  id: z.number(),
  finished_at: z.string().nullish(),
  artifacts_saved: z.boolean().nullish(),
  run_steps: z.array(z.object({ index: z.number() })).nullish(),
});
const runs = z.object({
  data: z
    .array(run)
    .nullish()
    .transform((all) => all ?? []),
});
const one = z.object({ data: run });

/** A run that is over, and when it ended. */
interface EndedRun {
  readonly id: number;
  readonly at: number;
}

/** The runs of the job of a login. */
export function openPlatform(
  login: ArtifactLogin,
  reach: NetworkReach,
  scrub: Scrub,
): ArtifactPlace {
  const { account_id, job_id, token, ca, host, endpoint = `https://${host}` } = login;
  const account = `/api/v2/accounts/${encodeURIComponent(account_id.trim())}/runs/`;
  const headers = { authorization: `Token ${token.trim()}`, accept: 'application/json' };
  const at = async (path: string): Promise<FileAddress> => ({
    source: await findWeb({ url: endpoint, ca }, reach),
    path: `${account}${path}`,
    headers,
  });
  const get = async <Fields>(path: string, schema: z.ZodType<Fields>, signal: AbortSignal) => {
    const attempt = async () => {
      const { source, ...where } = await at(path);
      return send(source, { ...where, method: 'GET', signal });
    };
    const answer = await retrying(attempt, rulesOf(signal, requestMs));
    if (answer.status !== 200) throw refusalOf(answer);
    return parsed({ name }, schema, answer);
  };
  const list = async (signal: AbortSignal, limit: number) => {
    const found = [];
    for (const status of ended) {
      const query = new URLSearchParams({
        ...{ job_definition_id: job_id.trim(), status: String(status) },
        ...{ order_by: '-finished_at', limit: String(limit), offset: '0' },
      });
      found.push(...(await get(`?${query}`, runs, signal)).data);
    }
    return found;
  };
  return {
    scrub,
    pull: (request) => pullRuns({ at, get, list }, request),
    async look(signal) {
      const found = await list(signal, 1);
      if (found.length === 0) throw invalid('The job has no run that ended yet.');
      return `The job has runs, the last of ${momentOf(found)}.`;
    },
  };
}

const momentOf = (found: readonly z.infer<typeof run>[]) =>
  found
    .map(({ finished_at }) => finished_at ?? '')
    .sort()
    .at(-1);

/** Ways to ask the platform. */
interface Asking {
  at(path: string): Promise<FileAddress>;
  get<Fields>(path: string, schema: z.ZodType<Fields>, signal: AbortSignal): Promise<Fields>;
  list(signal: AbortSignal, limit: number): Promise<z.infer<typeof run>[]>;
}

/** What is kept of the runs that were read: when the last of them ended. */
export const lastRun = 'run';

async function pullRuns(asking: Asking, request: PullRequest): Promise<Pulled | null> {
  const { signal, note } = request;
  const since = Number(request.known.get(lastRun) ?? Number.NEGATIVE_INFINITY);
  const fresh = readyOf(await asking.list(signal, mostRuns), since);
  const taken = fresh.slice(-mostRuns);
  const last = taken.at(-1);
  if (!last) {
    note('No run ended since the last sync.');
    return null;
  }
  const files = new Map<ArtifactName, readonly FileSource[]>();
  const results: FileSource[] = [];
  for (const { id } of taken) results.push(...(await resultsOf(asking, id, request)));
  files.set('run_results', results);
  for (const name of ['manifest', 'catalog', 'sources'] as const) {
    const file = await newestOf(asking, name, taken, request);
    if (file) files.set(name, [file]);
  }
  note(`${taken.length} runs ended since the last sync, the last is ${last.id}.`);
  return { artifacts: artifactsOf(files), versions: new Map([[lastRun, String(last.at)]]) };
}

/**
 * The runs that ended since, the oldest first, up to one whose artifacts are still on their way: later ones would hide
 * that it was not read.
 */
function readyOf(found: readonly z.infer<typeof run>[], since: number): EndedRun[] {
  const all = found
    .map((one) => ({ ...one, at: Date.parse(isoOf(one.finished_at ?? '')) }))
    .filter(({ at }) => at > since)
    .sort((a, b) => a.at - b.at || a.id - b.id);
  const waiting = all.findIndex(
    ({ at, artifacts_saved }) => artifacts_saved === false && Date.now() - at < patienceMs,
  );
  const ready = waiting < 0 ? all : all.slice(0, waiting);
  return ready.filter(({ artifacts_saved }) => artifacts_saved !== false);
}

/** A moment as the platform writes it, `2026-01-31 12:00:00.123456+00:00`, as JavaScript reads it. */
function isoOf(said: string): string {
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*(Z|[+-]\d\d:?\d\d)?$/.exec(said) ?? [];
  return day === undefined ? said : `${day}T${time}${zone ?? 'Z'}`;
}

/** The results of each step of a run: without a step the platform answers those of the last, such as of the docs. */
async function resultsOf(
  { at, get }: Asking,
  id: number,
  request: PullRequest,
): Promise<FileSource[]> {
  const { data } = await get(`${id}/?include_related=run_steps`, one, request.signal);
  const steps = (data.run_steps ?? []).map(({ index }) => index).sort((a, b) => a - b);
  const found: FileSource[] = [];
  for (const step of steps.slice(0, mostSteps)) {
    const file = fileOf('run_results');
    const where = () => at(`${id}/artifacts/${file}?step=${step}`);
    const as = `run_results of run ${id}, step ${step}`;
    const pulled = await pullFile(where, 'run_results', request, undefined, { as });
    if (pulled && pulled !== 'unchanged') found.push(pulled);
  }
  return found;
}

const mostSteps = 50;

/** The newest of an artifact that some runs left. */
async function newestOf(
  { at }: Asking,
  name: ArtifactName,
  taken: readonly EndedRun[],
  request: PullRequest,
): Promise<FileSource | null> {
  for (const { id } of taken.toReversed()) {
    const where = () => at(`${id}/artifacts/${fileOf(name)}`);
    const pulled = await pullFile(where, name, request, undefined);
    if (pulled && pulled !== 'unchanged') return pulled;
  }
  return null;
}
