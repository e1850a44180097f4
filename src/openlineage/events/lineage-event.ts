// One event of OpenLineage as it is kept: checked by hand and loosely, with the facets that are known.

import { createHash } from 'node:crypto';
import { invalidField } from '../../errors.ts';
import { isUuid } from '../../text/uuid.ts';
import { type DatasetName, nameOf, namespaceOf, readName, textLimits } from './dataset-name.ts';
import {
  type DatasetFacets,
  datasetFacets,
  droppedFacets,
  type JobFacets,
  jobFacets,
  lineageEntries,
  type RunFacets,
  runFacets,
} from './event-facets.ts';
import { parseEventTime } from './event-time.ts';
import { compact, itemsOf, membersOf, textOf } from './loose.ts';

/** What happened: to a run, or JOB and DATASET for what is said without one. Any other word of a producer is OTHER. */
const eventTypes = ['START', 'RUNNING', 'COMPLETE', 'FAIL', 'ABORT', 'OTHER'] as const;
export type EventType = (typeof eventTypes)[number] | 'JOB' | 'DATASET';

/** A dataset as an event names it. */
export interface EventDataset extends DatasetName {
  readonly facets: DatasetFacets;
}

/** What is kept of an event. */
export interface LineageEvent {
  /** When it happened, in ISO 8601, to the millisecond, in UTC. */
  readonly at: string;
  readonly type: EventType;
  /** Absent in events about a dataset alone. */
  readonly job?: (DatasetName & { readonly facets: JobFacets }) | undefined;
  readonly run?: { readonly id: string; readonly facets: RunFacets } | undefined;
  readonly inputs: readonly EventDataset[];
  readonly outputs: readonly EventDataset[];
  /** Facets that were dropped. */
  readonly dropped: number;
}

/** Datasets that an event names on one side. */
const mostDatasets = 1_000;

/**
 * What is kept of an event that a producer sent. Throws BAD_REQUEST where it has no time or names no job; whatever else does not
 * fit is left out.
 */
export function readEvent(given: unknown): LineageEvent {
  const members = membersOf(given);
  const at = timeText(members.eventTime);
  if (at === undefined) {
    throw invalidField('eventTime', 'Send a time such as 2026-01-31T09:30:00Z, of 1970 to 2200.');
  }
  if (members.dataset !== undefined && members.job === undefined) {
    const dataset = datasetOf(members.dataset);
    if (dataset.length === 0) throw invalidField('dataset', 'Send its namespace and its name.');
    const { facets } = membersOf(members.dataset);
    return {
      ...{ at, type: 'DATASET', inputs: [], outputs: dataset },
      dropped: droppedFacets(facets, 'dataset'),
    };
  }
  const job = membersOf(members.job);
  const name = nameOf(job.name);
  if (name === undefined) {
    throw invalidField(
      'job.name',
      `Send the name of the job, of 1 to ${textLimits.name} characters.`,
    );
  }
  const runMembers = membersOf(members.run);
  const runId = nameOf(runMembers.runId);
  const outputs = itemsOf(members.outputs, mostDatasets);
  const inputs = itemsOf(members.inputs, mostDatasets);
  const entries = [
    ...lineageEntries(membersOf(job.facets).lineage),
    ...lineageEntries(membersOf(runMembers.facets).lineage),
  ];
  return compact<LineageEvent>({
    at,
    type: runId === undefined ? 'JOB' : typeOf(members.eventType),
    job: {
      namespace: namespaceOf(job.namespace) ?? 'default',
      name,
      facets: jobFacets(job.facets),
    },
    run:
      runId === undefined
        ? undefined
        : { id: runId, facets: runFacets(runMembers.facets, timeText) },
    inputs: inputs.flatMap(datasetOf),
    outputs: withEntries(outputs.flatMap(datasetOf), entries),
    dropped:
      droppedFacets(job.facets, 'job') +
      droppedFacets(runMembers.facets, 'run') +
      [...inputs, ...outputs].reduce<number>(
        (sum, dataset) => sum + droppedFacets(membersOf(dataset).facets, 'dataset'),
        0,
      ),
  });
}

/** What equal events have in common, as a UUID: the same event sent again is no other one. */
export function hashOf(event: LineageEvent): string {
  return uuidOf(createHash('sha256').update(JSON.stringify(event)).digest());
}

/** The id of a run as a UUID: its own where it is one, else one that is made of its job and id. */
export function runKeyOf(job: DatasetName, runId: string): string {
  const text = JSON.stringify([
    job.namespace,
    job.name,
    isUuid(runId) ? runId.toLowerCase() : runId,
  ]);
  return uuidOf(createHash('sha1').update(text).digest());
}

/** A UUID that is made of a digest. */
export function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex');
  const part = (from: number, to: number) => hex.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-5${part(13, 16)}-a${part(17, 20)}-${part(20, 32)}`;
}

function typeOf(given: unknown): EventType {
  const word = textOf(given, 40)?.toUpperCase();
  return eventTypes.find((known) => known === word) ?? 'OTHER';
}

function timeText(value: unknown): string | undefined {
  return parseEventTime(value)?.toISOString();
}

function datasetOf(given: unknown): EventDataset[] {
  const name = readName(given);
  return name ? [{ ...name, facets: datasetFacets(membersOf(given)) }] : [];
}

/** The outputs with what the facet `lineage` of the job or run says of them, also of those that are not among them. */
function withEntries(
  outputs: readonly EventDataset[],
  entries: ReturnType<typeof lineageEntries>,
): EventDataset[] {
  const found = [...outputs];
  for (const { namespace, name, flows } of entries) {
    const at = found.findIndex((one) => one.namespace === namespace && one.name === name);
    const facets = found[at]?.facets ?? {};
    const lineage = [...(facets.lineage ?? []), ...flows];
    const said = { namespace, name, facets: { ...facets, lineage } };
    if (at < 0) found.push(said);
    else found[at] = said;
  }
  return found;
}
