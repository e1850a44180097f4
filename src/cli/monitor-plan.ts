// Monitors as code: what a file of them would change, and making it so.

import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { findResource } from './named-thing.ts';
import { print } from './print.ts';
import { ask, CommandEnd, rest } from './server.ts';

export interface PlanFlags {
  readonly prune?: boolean;
  readonly json?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** A monitor as a file has it, under what it watches and its name. */
interface Declared {
  readonly key: string;
  readonly table: string;
  readonly column: string | null;
  readonly name: string;
  /** By their names in REST. */
  readonly fields: Fields;
}

/** One step of a plan. */
interface Step {
  readonly does: 'create' | 'change' | 'delete';
  readonly monitor: Declared;
  /** The fields that differ: before and after. */
  readonly differs: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/** `monitors plan FILE`: says what `apply` would do. Throws `CommandEnd` 10 where it would do anything. */
export async function planMonitors(path: string, flags: PlanFlags): Promise<void> {
  const steps = await planOf(path, flags);
  print(flags, steps, inWords(steps));
  if (steps.length > 0) throw new CommandEnd('check says no', `${steps.length} monitors differ.`);
}

/** `monitors apply FILE`: makes the monitors as the file has them; doing it again does nothing. */
export async function applyMonitors(path: string, flags: PlanFlags): Promise<void> {
  const steps = await planOf(path, flags);
  for (const step of steps) await take(step);
  print(flags, steps, inWords(steps));
}

async function planOf(path: string, { prune = false }: PlanFlags): Promise<Step[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandEnd('usage', `There is no file ${path}.`);
  });
  const wanted = monitorsIn(text, path);
  const { monitorsAsYaml } = await ask<{ monitorsAsYaml: string }>('{ monitorsAsYaml }');
  const current = monitorsIn(monitorsAsYaml, 'what the server exports');
  const before = new Map(current.map((one) => [one.key, one]));
  const after = new Map(wanted.map((one) => [one.key, one]));
  if (after.size < wanted.length) {
    throw new CommandEnd('usage', `${path} has two monitors of one name on one table or column.`);
  }
  const tables = new Set(wanted.map(({ table }) => table));
  const gone = prune ? current.filter((one) => tables.has(one.table) && !after.has(one.key)) : [];
  return [
    ...wanted.flatMap((monitor): Step[] => {
      const known = before.get(monitor.key);
      const differs = difference(known?.fields ?? {}, monitor.fields);
      if (!known) return [{ does: 'create', monitor, differs }];
      return Object.keys(differs).length > 0 ? [{ does: 'change', monitor, differs }] : [];
    }),
    ...gone.map((monitor): Step => ({ does: 'delete', monitor, differs: {} })),
  ];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function monitorsIn(text: string, path: string): Declared[] {
  const wrong = (what: string) => new CommandEnd('usage', `${path}: ${what}`);
  let file: unknown;
  try {
    file = parse(text);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'it is no YAML.');
  }
  if (!isObject(file) || !Array.isArray(file.tables)) {
    throw wrong('it needs `tables`, as `headwater monitors export` writes them.');
  }
  return file.tables.flatMap((one: unknown): Declared[] => {
    if (!isObject(one) || typeof one.table !== 'string' || !Array.isArray(one.monitors)) {
      throw wrong('each of its tables needs `table` and `monitors`.');
    }
    const { table } = one;
    return one.monitors.map((monitor: unknown) => {
      if (!isObject(monitor)) throw wrong(`a monitor of ${table} is no object.`);
      const { name, column = null, ...fields } = monitor;
      if (typeof name !== 'string' || (column !== null && typeof column !== 'string')) {
        throw wrong(`a monitor of ${table} needs a name.`);
      }
      return { key: JSON.stringify([table, column, name]), table, column, name, fields };
    });
  });
}

/** What is wanted and not so; fields that the file does not name stay as they are, and null clears. */
function difference(before: Fields, after: Fields): Step['differs'] {
  const changed = Object.entries(after).filter(([name, value]) => !holds(before[name], value));
  return Object.fromEntries(changed.map(([name, value]) => [name, [before[name] ?? null, value]]));
}

function holds(is: unknown, wanted: unknown): boolean {
  if (isObject(wanted) && isObject(is)) {
    return Object.entries(wanted).every(([name, value]) => holds(is[name], value));
  }
  // An export leaves out that a monitor is enabled, and what is not set.
  if (is === undefined) return wanted === null || wanted === true;
  return isDeepStrictEqual(is, wanted);
}

const whole = ({ table, column }: Declared) => (column === null ? table : `${table}.${column}`);

async function take({ does, monitor, differs }: Step): Promise<void> {
  const target = await findResource(whole(monitor));
  const send = (method: string, path: string, body?: object) =>
    rest(path, {
      method,
      ...(body
        ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : {}),
    });
  const { name, fields } = monitor;
  if (does === 'create') {
    await send('POST', '/monitor/monitors', { ...fields, target, name });
    return;
  }
  const { monitors } = await ask<{ monitors: { nodes: { id: string }[] } }>(
    `query ($target: ID!, $name: String!) {
      monitors(first: 2, targetId: $target, where: { name: { eq: $name } }) { nodes { id } } }`,
    { target, name },
  );
  const [one] = monitors.nodes;
  if (!one || monitors.nodes.length > 1) {
    throw new CommandEnd('not found', `${whole(monitor)} has no monitor ${name}, or several.`);
  }
  const changes = Object.fromEntries(
    Object.entries(differs).map(([key, [, after]]) => [key, after]),
  );
  if (does === 'delete') await send('DELETE', `/monitor/monitors/${one.id}`);
  else await send('PATCH', `/monitor/monitors/${one.id}`, changes);
}

const signs = { create: '+', change: '~', delete: '-' } as const;

function inWords(steps: readonly Step[]): string {
  if (steps.length === 0) return 'All monitors are as the file has them.';
  return steps
    .map(({ does, monitor, differs }) => {
      const lines = Object.entries(differs).map(
        ([name, [before, after]]) =>
          `    ${name}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
      );
      const head = `${signs[does]} ${whole(monitor)}: ${monitor.name}`;
      return [head, ...(does === 'change' ? lines : [])].join('\n');
    })
    .join('\n');
}
