// Lets two things happen at once that exclude each other: `npm run gates -- races`.
//
// A team is deleted while a table is given to it, and the same pair of tables is drawn from both sides, in every
// second race while an edge between them is deleted. No table may belong to a team that is gone, and an edge is
// two entries or none. `--races N` (default 500) of each.

import { parseArgs } from 'node:util';
import { type Client, clientOf, type Outcome } from './edits/client.ts';
import { startForGate } from './server.ts';

const sideBySide = 4;

const { values: given } = parseArgs({ options: { races: { type: 'string', default: '500' } } });
const races = Number(given.races);

await using server = await startForGate();
const client = clientOf(server.address, server.key);
const faults: string[] = [];

const teams = await runAll(raceForTeam);
const pairs = await runAll(raceForPair);
for (const fault of faults.slice(0, 10)) console.log(fault);
console.log(
  `${races} teams deleted while given a table: ${count(teams, 'given')} given, ${count(teams, 'refused')} refused, ` +
    `${count(teams, 'orphan')} orphans. ${races} pairs drawn at once: ${count(pairs, 'two')} with two ` +
    `entries, ${count(pairs, 'none')} deleted, ${count(pairs, 'torn')} torn. ${faults.length} faults.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Run the races, some of them side by side; what came of each. */
async function runAll(race: (client: Client, n: number) => Promise<string>): Promise<string[]> {
  const numbers = Array.from({ length: races }, (_, n) => n);
  const fates: string[] = [];
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) {
        fates.push(await race(client, n));
      }
    }),
  );
  return fates;
}

function count(fates: readonly string[], fate: string): number {
  return fates.filter((one) => one === fate).length;
}

async function raceForTeam({ rest }: Client, n: number): Promise<string> {
  const team = mustBe(await rest('POST', '/auth/teams', { name: `Team ${n}` }));
  const table = mustBe(await rest('POST', '/table/tables', { title: `table ${n}` }));
  const path = `/table/tables/${table}`;
  const assigning = () => rest('PATCH', path, { teams: [team] });
  const deleting = () => rest('DELETE', `/auth/teams/${team}`);
  const [first, second] = n % 2 === 0 ? [assigning, deleting] : [deleting, assigning];
  const [one, other] = await Promise.all([first(), second()]);
  const [assigned, deleted] = n % 2 === 0 ? [one, other] : [other, one];
  if (deleted?.refusal)
    faults.push(`The team was not deleted: ${deleted.refusal} ${deleted.message}`);
  if (assigned?.refusal && assigned.refusal !== '400') {
    faults.push(`It was refused with ${assigned.refusal} ${assigned.message}`);
  }
  const { data } = await rest('GET', path);
  if (data.teams.includes(team)) {
    faults.push(`Table ${n} belongs to a team that is gone.`);
    return 'orphan';
  }
  return assigned?.refusal ? 'refused' : 'given';
}

async function raceForPair({ rest }: Client, n: number): Promise<string> {
  const from = mustBe(await rest('POST', '/table/tables', { title: `from ${n}` }));
  const to = mustBe(await rest('POST', '/table/tables', { title: `to ${n}` }));
  const draw = (one: string, other: string, direction: string) =>
    rest('POST', '/lineage/manual', { from_entity: one, to_entity: other, direction });
  const isDeleted = n % 2 === 1;
  const before = isDeleted ? mustBe(await draw(from, to, 'DOWNSTREAM')) : null;
  const outcomes = await Promise.all([
    draw(from, to, 'DOWNSTREAM'),
    draw(to, from, 'UPSTREAM'),
    ...(before ? [rest('DELETE', `/lineage/manual/${before}`)] : []),
  ]);
  for (const { refusal, message } of outcomes) {
    if (refusal !== null) faults.push(`A pair was refused with ${refusal} ${message}`);
  }
  const { data } = await rest('GET', `/lineage/manual?from_entity=${from},${to}`);
  if (data.count === 2) return 'two';
  if (data.count === 0 && isDeleted) return 'none';
  faults.push(`Pair ${n} has ${data.count} entries.`);
  return 'torn';
}

/** The id of what was made. */
function mustBe({ data, refusal, message }: Outcome): string {
  if (refusal !== null) throw new Error(`${refusal}: ${message}`);
  return data.id;
}
