// The dearest requests known, many at once by one key: each is answered or refused with a reason, and others are served.

import { beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { runs } from '../../trials/nightly.ts';
import { send } from '../client.ts';
import { fillForDearRequests } from './catalog.ts';
import { type DearRequest, dearRequests, type Named } from './requests.ts';

const atOnce = runs(20);
/** So that what is answered, and what is refused, doesn't depend on how busy the machine is. */
const long = { REQUEST_TIMEOUT_MS: '60000', REQUEST_DATABASE_MS: '60000' };

/** An answer, or a refusal that says why. */
const fine =
  /^(200( (BAD_REQUEST|FORBIDDEN|NOT_FOUND|TIMEOUT|TOO_MANY_REQUESTS|UNPROCESSABLE))?|(400|403|404|413|422|429|504) \w+)$/;
const comesTo = { answered: /^200$/, refused: /^(200|400|413) (BAD_REQUEST|PAYLOAD_TOO_LARGE)$/ };

let catalog: Catalog;
let origin = '';
let named: Named;

beforeAll(async () => {
  catalog = await openCatalog({ alone: true });
  named = await fillForDearRequests(catalog.url);
  await catalog.app(long);
  origin = await catalog.listen();
  return () => catalog[Symbol.asyncDispose]();
});

const names = dearRequests({ table: '', schema: '' }).map(({ name }) => name);

test.each(names)('%s', async (name) => {
  const request = dearRequests(named).find((one) => one.name === name);
  if (!request) throw new Error(`There is no request ${name}.`);
  const sent = Promise.all(Array.from({ length: atOnce }, () => ask(request)));
  const others = serveOthers(sent);
  const answers = await sent;
  const { count, failures } = await others;
  expect(answers.filter((answer) => !fine.test(answer))).toEqual([]);
  const { becomes } = request;
  if (becomes) expect(answers).toContainEqual(expect.stringMatching(comesTo[becomes]));
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(0);
  expect(catalog.unexpected).toEqual([]);
});

async function ask({ method, path, body, isAnonymous }: DearRequest): Promise<string> {
  const authorization = isAnonymous ? null : `Bearer ${catalog.keyOf('viewer')}`;
  const { status, code } = await send(origin + path, { authorization, method, body });
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** Asks with another key until some work is done; what was not answered well. */
async function serveOthers(work: Promise<unknown>): Promise<{ count: number; failures: string[] }> {
  let [isOver, count] = [false, 0];
  const failures: string[] = [];
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const query = '{ resources(first: 20) { nodes { id title } } }';
  do {
    const replies = await Promise.all([
      send(`${origin}/healthz`, { authorization: null, method: 'GET' }),
      send(`${origin}/graphql`, { authorization, body: { query } }),
      send(`${origin}/api/v1/tag?page_size=20`, { authorization, method: 'GET' }),
    ]);
    for (const { status, code } of replies) {
      count += 1;
      if (status !== 200 || code !== undefined) failures.push(`${status} ${code}`);
    }
  } while (!isOver);
  return { count, failures };
}
