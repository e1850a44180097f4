// The whole table of roles: every query, mutation, subscription and REST operation, asked by everybody,
// compared with a table written by hand, and no answer with a word or an id that is not for who asks.

import type { GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { digest } from '../digest.ts';
import { sayCounted } from '../gates/counted.ts';
import { type Documented, operationsOf } from '../rest/openapi/conform.ts';
import { type Asker, type Askers, openAsked } from './callers.ts';
import { mutations, openToAll, operations, queries } from './expected.ts';
import { requestFor, type Which } from './graphql-requests.ts';
import { nameOf, type RestRequest, restRequestFor } from './rest-requests.ts';
import { canaries, type Place } from './world.ts';

let place: Place;
let askers: Askers;
beforeAll(async () => {
  ({ place, askers } = await openAsked());
}, 60_000);
afterAll(async () => {
  await place.catalog[Symbol.asyncDispose]();
  sayCounted(`${answers} answers to all roles, each searched for what is not for who asked`);
});

/** What is not there any more for who asks next. */
const isLast = (name: string) =>
  /^(archive|delete|deactivate|revoke|cancel|end|restore|leave|trigger)/i.test(name);

interface Answered {
  readonly result: string;
  readonly text: string;
  readonly sent: string;
}

/** Asks for one thing on behalf of somebody: of the ids that `which` gives. */
type Ask = (asker: Asker, which: Which) => Promise<Answered>;

let count = 0;
let answers = 0;
/** Words that somebody met in an answer: the words are there to be met, or they would guard nothing. */
const met = new Set<string>();

const newName = () => {
  count += 1;
  return `made-${count}`;
};

/** What an entry is answered to each of the callers, from the first refused one to the admin. */
async function rowOf(name: string, ask: Ask, cells: readonly string[], only: 'refused' | 'rest') {
  const { refused, other, byRole } = askers;
  const asked = async (asker: Asker, which: Which) => {
    const { result, text, sent } = await ask(asker, which);
    answers += 1;
    for (const word of Object.values(canaries))
      if (text.includes(word)) met.add(`${asker.name} ${word}`);
    expect(asker.unseenIn(text, sent), `${name} shows this to ${asker.name}: ${text}`).toEqual([]);
    return result;
  };
  if (only === 'refused') {
    for (const asker of refused) {
      const expected = openToAll.includes(name) ? 'ok' : '401';
      expect(await asked(asker, place.shown.one), `${name}, ${asker.name}`).toBe(expected);
    }
  }
  const callers = [other, byRole.guest, byRole.viewer, byRole.editor, byRole.admin];
  const row: string[] = [];
  for (const [at, asker] of callers.entries()) {
    const isExpected = cells[at] === 'ok';
    if (isExpected === (only === 'refused')) {
      row.push('-');
      continue;
    }
    const which = isExpected && isLast(name) ? place.shown.fresh : place.shown.one;
    row.push(await asked(asker, which));
  }
  return row;
}

interface Entry {
  readonly name: string;
  readonly cells: readonly string[];
  readonly ask: Ask;
}

/** The rows of all entries: first what is to be refused, which changes nothing, and then the rest. */
async function tableOf(entries: readonly Entry[]): Promise<Record<string, string>> {
  // What was refused may be in the log of that.
  const before = await digest(place.catalog, ['audit_']);
  const first = new Map<string, string[]>();
  for (const { name, cells, ask } of entries) {
    first.set(name, await rowOf(name, ask, cells, 'refused'));
  }
  expect(await digest(place.catalog, ['audit_'])).toEqual(before);
  const rows: Record<string, string> = {};
  for (const { name, cells, ask } of entries) {
    const second = await rowOf(name, ask, cells, 'rest');
    rows[name] = (first.get(name) ?? [])
      .map((cell, at) => (cell === '-' ? second[at] : cell))
      .join(' ');
  }
  return rows;
}

/** The statuses of codes, which the server has in a table of its own. */
const statuses: Readonly<Record<string, string>> = {
  ...{ BAD_REQUEST: '400', UNAUTHENTICATED: '401', FORBIDDEN: '403', NOT_FOUND: '404' },
  CONFLICT: '409',
};

const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
  Object.values(type?.getFields() ?? {});

function entriesOf(kind: 'query' | 'mutation', table: Readonly<Record<string, string>>): Entry[] {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return fieldsOf(type).map((field) => ({
    name: field.name,
    cells: (table[field.name] ?? '').split(' '),
    async ask({ caller }, which) {
      const { query, variables } = await requestFor(kind, field, which, newName());
      const answer = await place.catalog.graphql(query, variables, caller);
      const code = answer.errors?.[0]?.extensions.code;
      const isNothing = answer.data?.[field.name] === null;
      const result = code ? (statuses[code] ?? code) : isNothing ? 'null' : 'ok';
      return { result, text: JSON.stringify(answer), sent: JSON.stringify(variables) };
    },
  }));
}

test('each query of GraphQL answers each role as the table says', async () => {
  expect(await tableOf(entriesOf('query', queries))).toEqual(queries);
  expect([...met].sort()).toEqual([
    ...[
      'admin zzcanaryadmins',
      'admin zzcanaryeditors',
      'admin zzcanarymembers',
      'editor zzcanaryeditors',
    ],
    ...['editor zzcanarymembers', 'viewer zzcanarymembers'],
  ]);
}, 120_000);

test('each mutation of GraphQL is open to the roles that the table says, and to no others', async () => {
  expect(await tableOf(entriesOf('mutation', mutations))).toEqual(mutations);
}, 120_000);

test('each operation of REST, by each of its paths, answers each role as the table says', async () => {
  const { document } = await (await place.catalog.app()).rest();
  const all = operationsOf(document);
  const expected = new Map(
    Object.entries(operations).flatMap(([row, names]) =>
      names.flatMap((name) => [[name, row] as const, ...byPut(name, row, all)]),
    ),
  );
  const entries = all.map((one): Entry => {
    const row = expected.get(nameOf(one));
    return {
      name: one.operation.operationId,
      cells: row?.split(' ') ?? [],
      ask: async (asker, which) => send(asker, await restRequestFor(one, which, newName())),
    };
  });
  const table = all.map((one) => [one.operation.operationId, expected.get(nameOf(one))]);
  expect(await tableOf(entries)).toEqual(Object.fromEntries(table));
  // A row for an operation that there is none of says nothing.
  const names = new Set(all.map(nameOf));
  expect([...expected.keys()].filter((name) => !names.has(name))).toEqual([]);
  const written = Object.values(operations).flat();
  expect(written.filter((name, at) => written.indexOf(name) !== at)).toEqual([]);
}, 180_000);

/** A record that may be changed by PATCH may be by PUT, by the same people. */
function byPut(name: string, row: string, all: readonly Documented[]): [string, string][] {
  const put = `${name}ByPut`;
  return all.some((one) => nameOf(one) === put) ? [[put, row]] : [];
}

async function send({ caller }: Asker, { method, path, body }: RestRequest): Promise<Answered> {
  const answer = await place.catalog.rest(method, path, { caller, ...(body ? { body } : {}) });
  const isOk = answer.status >= 200 && answer.status < 300;
  const sent = path + (body instanceof FormData ? '' : JSON.stringify(body ?? ''));
  return { result: isOk ? 'ok' : String(answer.status), text: answer.text, sent };
}
