// The whole table of roles: every query, mutation, subscription and REST operation, asked by everybody,
// compared with a table written by hand, and no answer with a word or an id that is not for who asks.

import type { GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { digest } from '../digest.ts';
import { sayCounted } from '../gates/counted.ts';
import { type Documented, operationsOf } from '../rest/openapi/conform.ts';
import { type ActiveKeys, type Asker, openAsked } from './callers.ts';
import { mutations, openToAll, operations, queries, type Unmet, unmet } from './expected.ts';
import { requestFor, type Which } from './graphql-requests.ts';
import { nameOf, type RestRequest, restRequestFor } from './rest-requests.ts';
import { canaries, type Place } from './world.ts';

let place: Place;
let askers: ActiveKeys;
beforeAll(async () => {
  ({ place, askers } = await openAsked());
}, 60_000);
afterAll(async () => {
  await place.catalog[Symbol.asyncDispose]();
  sayCounted(`${answers} answers to all roles, each searched for what is not for who asked`);
});

/** What is not there any more for who asks next. */
const isLast = (name: string) =>
  /^(archive|delete|deactivate|revoke|cancel|end|merge|restore|leave|trigger)/i.test(name);

interface Answered {
  readonly result: string;
  readonly text: string;
  readonly sent: string;
}

/** Asks for one thing on behalf of somebody: of the ids that `which` gives. */
type Ask = (asker: Asker, which: Which) => Promise<Answered>;

let count = 0;
let answers = 0;
/**
 * What was met in the answers of a table, or the words would guard nothing: which of them who read, and in answers to
 * which entries an admin read what is not for guests or viewers.
 */
interface Met {
  readonly words: Set<string>;
  readonly entries: Record<'guest' | 'viewer', Set<string>>;
}

/** Every word is met by all whom it is for. */
const wordsOfAll = [
  ...['admin zzcanaryadmins', 'admin zzcanaryeditors', 'admin zzcanarymembers'],
  ...['editor zzcanaryeditors', 'editor zzcanarymembers', 'viewer zzcanarymembers'],
];

function note(met: Met, name: string, asker: Asker, { text, sent }: Answered): void {
  for (const word of Object.values(canaries)) {
    if (text.includes(word)) met.words.add(`${asker.name} ${word}`);
  }
  if (asker !== askers.byRole.admin) return;
  for (const role of ['guest', 'viewer'] as const) {
    if (askers.byRole[role].unseenIn(text, sent).length > 0) met.entries[role].add(name);
  }
}

const newName = () => {
  count += 1;
  return `made-${count}`;
};

/** What an entry is answered to each of the callers, from the first refused one to the admin. */
async function rowOf({ name, ask, cells }: Entry, only: 'refused' | 'rest', met: Met) {
  const { refused, other, byRole } = askers;
  const asked = async (asker: Asker, which: Which) => {
    const answered = await ask(asker, which);
    answers += 1;
    note(met, name, asker, answered);
    const { result, text, sent } = answered;
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

/**
 * The rows of all entries: first what is to be refused, which changes nothing, and then the rest. Holds that what is
 * only for some is there to be met in the answers, but for some entries.
 */
async function tableOf(entries: readonly Entry[], unmet: Unmet): Promise<Record<string, string>> {
  const met: Met = { words: new Set(), entries: { guest: new Set(), viewer: new Set() } };
  // What was refused may be in the log of that.
  const before = await digest(place.catalog, ['audit_']);
  const first = new Map<string, string[]>();
  for (const entry of entries) first.set(entry.name, await rowOf(entry, 'refused', met));
  expect(await digest(place.catalog, ['audit_'])).toEqual(before);
  const rows: Record<string, string> = {};
  for (const entry of entries) {
    const { name } = entry;
    const second = await rowOf(entry, 'rest', met);
    rows[name] = (first.get(name) ?? [])
      .map((cell, at) => (cell === '-' ? second[at] : cell))
      .join(' ');
  }
  expect([...met.words].sort()).toEqual(wordsOfAll);
  for (const [role, at] of [
    ['guest', 1],
    ['viewer', 2],
  ] as const) {
    const open = entries.filter(({ cells }) => cells[at] === 'ok').map(({ name }) => name);
    const others = open.filter((name) => !met.entries[role].has(name));
    const why =
      `open to a ${role}, and no admin's answer holds what is not for a ${role}: ` +
      'tie it to that in test/roles/ties.ts, or name it in unmet in test/roles/expected.ts';
    expect(others.sort(), why).toEqual([...unmet[role]].sort());
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
  expect(await tableOf(entriesOf('query', queries), unmet.queries)).toEqual(queries);
}, 240_000);

test('each mutation of GraphQL is open to the roles that the table says, and to no others', async () => {
  expect(await tableOf(entriesOf('mutation', mutations), unmet.mutations)).toEqual(mutations);
}, 240_000);

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
  expect(await tableOf(entries, unmet.operations)).toEqual(Object.fromEntries(table));
  // A row for an operation that there is none of says nothing.
  const names = new Set(all.map(nameOf));
  expect([...expected.keys()].filter((name) => !names.has(name))).toEqual([]);
  const written = Object.values(operations).flat();
  expect(written.filter((name, at) => written.indexOf(name) !== at)).toEqual([]);
}, 240_000);

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
