// Names in the arguments of tools: wherever an id is taken, the name of what is meant is taken as well.

import { z } from 'zod';
import { nearest } from '../../text/nearest.ts';
import { isUuid } from '../../text/uuid.ts';
import type { Operations, RunOperation } from './operations.ts';
import type { NamedResource, Tool } from './tool.ts';

/** Arguments with ids in them, what they name by id, and what could not be found, in sentences. */
export interface Resolved {
  readonly given: Readonly<Record<string, unknown>>;
  readonly named: ReadonlyMap<string, NamedResource>;
  readonly problems: readonly string[];
}

/** Names that are suggested. */
const maxNear = 5;

const resource = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  titleFull: z.string(),
});
type Candidate = z.output<typeof resource>;

const exactly = z.object({ resources: z.object({ nodes: z.array(resource) }) });
const nearly = z.object({
  search: z.object({ nodes: z.array(z.object({ resource })) }),
});
const tagged = z.object({
  tags: z.object({ nodes: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

/**
 * Put ids for names: a full name, a title that only one resource has (or one besides columns), or the end of a full name.
 * A name of none or of several is a problem, with the names that are near it.
 */
export async function withIds(
  { names, tags, titled = false }: Pick<Tool, 'names' | 'tags' | 'titled'>,
  given: Readonly<Record<string, unknown>>,
  run: RunOperation,
  operations: Operations,
): Promise<Resolved> {
  const work: Work = { run, operations, titled, named: new Map(), problems: [] };
  const result: Record<string, unknown> = { ...given };
  for (const argument of names ?? []) {
    const value = given[argument];
    if (typeof value === 'string') result[argument] = await idOf(work, argument, value);
    if (Array.isArray(value)) {
      const ids = await Promise.all(value.map((one) => idOf(work, argument, String(one))));
      result[argument] = [...new Set(ids)];
    }
  }
  for (const argument of tags ?? []) {
    const value = given[argument];
    if (typeof value === 'string') result[argument] = await tagOf(work, argument, value);
  }
  return { given: result, named: work.named, problems: work.problems };
}

interface Work {
  readonly titled: boolean;
  readonly run: RunOperation;
  readonly operations: Operations;
  readonly named: Map<string, NamedResource>;
  readonly problems: string[];
}

async function ask<T>(work: Work, name: string, variables: object, shape: z.ZodType<T>) {
  const { data, errors } = await work.run(work.operations(name).document, { ...variables });
  if (errors?.[0]) work.problems.push(errors[0].message);
  return shape.safeParse(data).data;
}

async function idOf(work: Work, argument: string, given: string): Promise<string> {
  const name = given.trim();
  const isId = isUuid(name);
  if (isId && !work.titled) return name;
  const asked = { names: isId ? [] : [name], ids: isId ? [name] : [] };
  const exact = (await ask(work, 'find_names', asked, exactly))?.resources.nodes ?? [];
  if (isId) {
    for (const one of exact) work.named.set(one.id, one);
    return name;
  }
  const full = exact.filter(({ titleFull }) => titleFull === name);
  const telling = exact.filter(({ kind }) => kind !== 'column');
  const found = [full, telling, exact].find(({ length }) => length > 0);
  if (found) return only(work, argument, name, found);
  const near = (await ask(work, 'find_near', { query: name.slice(0, 200) }, nearly))?.search.nodes;
  const candidates = (near ?? []).map((one) => one.resource);
  const lower = name.toLowerCase();
  const ending = candidates.filter(
    ({ title, titleFull }) =>
      title.toLowerCase() === lower ||
      titleFull.toLowerCase() === lower ||
      titleFull.toLowerCase().endsWith(`.${lower}`),
  );
  if (ending.length > 0) return only(work, argument, name, ending);
  const hint = candidates.length > 0 ? ` Near are ${listed(candidates)}.` : ' Look with `search`.';
  work.problems.push(`${argument}: Nothing is called ${JSON.stringify(name)}.${hint}`);
  return name;
}

function only(work: Work, argument: string, name: string, found: readonly Candidate[]): string {
  const [one] = found;
  if (one && found.length === 1) {
    work.named.set(one.id, one);
    return one.id;
  }
  work.problems.push(
    `${argument}: ${found.length} are called ${JSON.stringify(name)}; give one of ${listed(found)}.`,
  );
  return name;
}

function listed(candidates: readonly Candidate[]): string {
  return candidates
    .slice(0, maxNear)
    .map(({ id, kind, titleFull }) => `${JSON.stringify(titleFull)} (${kind}, ${id})`)
    .join(', ');
}

async function tagOf(work: Work, argument: string, given: string): Promise<string> {
  const name = given.trim();
  if (isUuid(name)) return name;
  const all = (await ask(work, 'find_tags', {}, tagged))?.tags.nodes ?? [];
  const found = all.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  if (found) return found.id;
  const names = all.map((tag) => tag.name);
  const near = nearest(name, names);
  const hint = near ? `Near is ${JSON.stringify(near)}.` : 'Look with `tags`.';
  work.problems.push(`${argument}: No tag is called ${JSON.stringify(name)}. ${hint}`);
  return name;
}
