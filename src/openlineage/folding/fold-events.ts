// Folds events into what they say of datasets, jobs and runs.

import { createHash } from 'node:crypto';
import { foldName } from '../../resources/identities/named-place.ts';
import type { DatasetName } from '../events/dataset-name.ts';
import { type EventDataset, type LineageEvent, runKeyOf, uuidOf } from '../events/lineage-event.ts';
import { plainName } from './dataset-place.ts';
import { Saying, type Stamp, stampOf } from './register.ts';

/** What a batch of events says of something. */
export interface Mention extends DatasetName {
  readonly id: string;
  readonly saying: Saying;
}

/** What a batch of events says of a run. */
export interface RunMention {
  readonly id: string;
  readonly jobId: string;
  readonly runId: string;
  readonly saying: Saying;
}

/** What a batch of events says, each thing once. */
export interface Folded {
  readonly datasets: ReadonlyMap<string, Mention>;
  readonly jobs: ReadonlyMap<string, Mention>;
  readonly runs: ReadonlyMap<string, RunMention>;
}

/** The id of a dataset: names that differ in the case of A to Z are one. */
export function datasetId({ namespace, name }: DatasetName): string {
  return idOf([
    ...['dataset', foldName(namespace).replace(/\/+$/, '')],
    foldName(plainName({ namespace, name })),
  ]);
}

function jobId({ namespace, name }: DatasetName): string {
  return idOf(['job', namespace, name]);
}

/** A UUID that is made of texts. */
export function idOf(parts: readonly (string | null)[]): string {
  return uuidOf(createHash('sha1').update(JSON.stringify(parts)).digest());
}

/** An event with its hash. */
export interface HashedEvent {
  readonly hash: string;
  readonly body: LineageEvent;
}

/** Fold events, in any order. */
export function foldEvents(events: Iterable<HashedEvent>): Folding {
  const folding = new Folding();
  for (const event of events) folding.take(event);
  return folding;
}

/** What is folded so far. */
export class Folding implements Folded {
  readonly datasets = new Map<string, Mention>();
  readonly jobs = new Map<string, Mention>();
  readonly runs = new Map<string, RunMention>();

  take({ hash, body: event }: HashedEvent): void {
    const stamp = stampOf(event.at, hash);
    const job = event.job ? this.#job(event.job) : null;
    if (job && event.job) this.#sayOfJob(stamp, job.saying, event.job.facets);
    const run = job ? this.#run(event, job) : null;
    if (run) this.#sayOfRun(stamp, run.saying, event);
    const isOver = event.type === 'COMPLETE' || event.type === 'DATASET' || event.type === 'JOB';
    for (const input of event.inputs) {
      const { id, saying } = this.#sayOfDataset(stamp, input, false);
      run?.saying.say(stamp, `in:${id}`, nameIn(input));
      this.#sayOfTests(stamp, run, saying, input);
    }
    for (const output of event.outputs) {
      const { id, saying } = this.#sayOfDataset(stamp, output, isOver);
      this.#sayOfTests(stamp, run, saying, output);
      if (!run) continue;
      run.saying.say(stamp, `out:${id}`, nameIn(output));
      for (const facet of ['columnLineage', 'lineage'] as const) {
        const flows = output.facets[facet];
        if (!flows) continue;
        for (const { from } of flows) this.#dataset(from).saying.say(stamp, '<name', from);
        run.saying.say(
          stamp,
          `${facet}:${id}`,
          flows.map(({ from, ...flow }) => ({ ...flow, from: datasetId(from) })),
        );
      }
      if (event.type === 'COMPLETE')
        saying.say(stamp, 'writtenBy', { job: run.jobId, run: run.id });
    }
  }

  /** Take a dataset that no event names, but the SQL of a run. */
  imply(stamp: Stamp, name: DatasetName): void {
    this.#dataset(name).saying.say(stamp, '<name', nameIn(name));
  }

  #dataset(name: DatasetName): Mention {
    const id = datasetId(name);
    const known = this.datasets.get(id);
    if (known) return known;
    const { namespace, name: title } = name;
    const made = { id, namespace, name: title, saying: new Saying() };
    this.datasets.set(id, made);
    return made;
  }

  #job({ namespace, name }: DatasetName): Mention {
    const id = jobId({ namespace, name });
    const known = this.jobs.get(id);
    if (known) return known;
    const made = { id, namespace, name, saying: new Saying() };
    this.jobs.set(id, made);
    return made;
  }

  /** The run of an event; of one about a job alone what it states counts as a run of its own. */
  #run({ job, run }: LineageEvent, { id: of }: Mention): RunMention | null {
    if (!job) return null;
    const runId = run?.id ?? '';
    const id = runKeyOf(job, runId);
    const known = this.runs.get(id);
    if (known) return known;
    const made = { id, jobId: of, runId, saying: new Saying() };
    this.runs.set(id, made);
    return made;
  }

  #sayOfJob(stamp: Stamp, saying: Saying, facets: object): void {
    for (const [name, value] of Object.entries(facets)) saying.say(stamp, name, value);
  }

  #sayOfRun(stamp: Stamp, saying: Saying, { type, job, run }: LineageEvent): void {
    saying.say(stamp, '<first', true);
    saying.say(stamp, 'last', true);
    if (type === 'START') saying.say(stamp, '<start', true);
    if (type === 'START' || type === 'RUNNING') saying.say(stamp, 'running', true);
    if (type === 'COMPLETE' || type === 'FAIL' || type === 'ABORT') saying.say(stamp, 'end', type);
    if (type === 'JOB') saying.say(stamp, 'stated', true);
    if (job?.facets.isStreaming) saying.say(stamp, 'streaming', true);
    if (job?.facets.sql !== undefined) {
      saying.say(stamp, 'sql', { sql: job.facets.sql, dialect: job.facets.dialect });
    }
    if (!run) return;
    const { parent, root, nominalStart, error } = run.facets;
    saying.say(stamp, 'nominalStart', nominalStart);
    saying.say(stamp, 'error', error);
    if (parent) {
      const above = this.#job(parent);
      if (parent.runId !== undefined) {
        saying.say(stamp, 'parent', runKeyOf(parent, parent.runId));
      }
      if (job && above.id !== jobId(job)) this.#job(job).saying.say(stamp, 'parent', above.id);
    }
    if (root && job) {
      const top = this.#job(root);
      if (top.id !== jobId(job)) this.#job(job).saying.say(stamp, 'root', top.id);
    }
  }

  #sayOfDataset(stamp: Stamp, dataset: EventDataset, isOver: boolean): Mention {
    const heard = this.#dataset(dataset);
    const { id, saying } = heard;
    const { schema, symlinks, change, previous, ...facets } = dataset.facets;
    saying.say(stamp, '<name', nameIn(dataset));
    // What a run that is not over says of its output, or reads of an input, may be a part of the columns.
    saying.say(stamp, isOver ? 'schema' : 'partialSchema', schema);
    saying.say(stamp, isOver && change === 'DROP' ? 'dropped' : 'there', true);
    for (const [name, value] of Object.entries(facets)) {
      if (!toRun.has(name)) saying.say(stamp, name, value);
    }
    for (const link of [...(symlinks ?? [])].sort(byName)) {
      const other = this.#dataset(link);
      if (other.id === id) continue;
      other.saying.say(stamp, '<name', nameIn(link));
      // The name of a table stands for it, rather than the place where it is stored.
      if (link.isTable) saying.say(stamp, 'standsFor', other.id);
      else other.saying.say(stamp, 'standsFor', id);
    }
    if (previous && change === 'RENAME') {
      const before = this.#dataset(previous);
      before.saying.say(stamp, '<name', nameIn(previous));
      if (before.id !== id) before.saying.say(stamp, 'standsFor', id);
    }
    return heard;
  }

  #sayOfTests(
    stamp: Stamp,
    run: RunMention | null,
    saying: Saying,
    { facets: { assertions = [] } }: EventDataset,
  ): void {
    for (const one of assertions) {
      const key = JSON.stringify([one.name, one.column ?? null]);
      saying.say(stamp, `test:${key}`, { ...one, run: run?.id ?? null });
    }
  }
}

const nameIn = ({ namespace, name }: DatasetName): DatasetName => ({ namespace, name });

/** What facets of a dataset say of the run, or is noted in its own way. */
const toRun: ReadonlySet<string> = new Set(['columnLineage', 'lineage', 'assertions']);

const byName = (one: DatasetName, other: DatasetName) =>
  `${one.namespace}\n${one.name}` < `${other.namespace}\n${other.name}` ? -1 : 1;
