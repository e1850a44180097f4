// Running many races at once, imports besides and after them, and counting what was lost.

import { openGrounds, type Tally } from './course.ts';
import { deletions, moves, titles } from './places.ts';
import type { Race, Verdict } from './race.ts';
import { documentation, expected, fields, tagged, wholes } from './saves.ts';
import {
  collections,
  deletedTag,
  deletedTeam,
  groupMembers,
  joining,
  tags,
  teamMembers,
  values,
} from './sets.ts';
import { acceptances, reactions, votes } from './talk.ts';

/** The kinds of races, in words. */
const races: readonly (readonly [string, Race])[] = [
  ['fields of one resource', fields],
  ['one resource saved as a whole', wholes],
  ['documentation', documentation],
  ['saves with expectedVersion', expected],
  ['saves with If-Match', tagged],
  ['tags in part and as a whole', tags],
  ['collections in part and as a whole', collections],
  ['values of custom properties', values],
  ['a tag deleted and put on', deletedTag],
  ['a team deleted and given resources', deletedTeam],
  ['moves into each other', moves],
  ['new titles and places', titles],
  ['deleted, edited and added to', deletions],
  ['votes', votes],
  ['reactions', reactions],
  ['accepted answers', acceptances],
  ['members of a team', teamMembers],
  ['members of a group', groupMembers],
  ['joined, bookmarked, opened', joining],
];

export interface RunOptions {
  readonly address: string;
  /** The key of an admin. */
  readonly key: string;
  readonly races: number;
  readonly seed: number;
  /** Races that are run side by side. */
  readonly sideBySide?: number;
  /** Imports go on as long as races do, and two come after; false leaves them out. */
  readonly imports?: boolean;
  readonly report?: (line: string) => void;
}

/** What came of the races of a kind. */
export interface Result extends Tally {
  readonly race: string;
  races: number;
  /** What is not as it was acknowledged. */
  readonly lost: string[];
}

export interface Report {
  readonly results: readonly Result[];
  readonly imports: number;
  readonly failedImports: readonly string[];
}

/** Run races against a server, and look at all that they left when the last import is through. */
export async function runRaces(options: RunOptions): Promise<Report> {
  const { address, key, seed, sideBySide = 6, imports: importing = true, report } = options;
  const results = races.map(
    ([race]): Result => ({ race, races: 0, acknowledged: 0, refused: 0, failures: [], lost: [] }),
  );
  const grounds = await openGrounds(address, key, 2 * options.races);
  const imported = { count: 0, failures: [] as string[], over: false };
  const importOnce = async () => {
    const { refusal, message } = await grounds.importAgain();
    imported.count += 1;
    if (refusal !== null) imported.failures.push(`${refusal}: ${message}`);
  };
  const beside = (async () => {
    while (importing && !imported.over) await importOnce();
  })();
  const verdicts: { result: Result; verdict: Verdict }[] = [];
  let next = 0;
  const run = async () => {
    while (next < options.races) {
      const number = next;
      next += 1;
      const kind = number % races.length;
      const result = results[kind];
      const race = races[kind]?.[1];
      if (!result || !race) throw new Error('There is no such race.');
      result.races += 1;
      const verdict = await race(grounds.course(number, seed, result));
      verdicts.push({ result, verdict });
      if ((number + 1) % 100 === 0) report?.(`${number + 1} races, ${imported.count} imports`);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, run));
  imported.over = true;
  await beside;
  if (importing) for (const _ of [1, 2]) await importOnce();
  for (const { result, verdict } of verdicts) result.lost.push(...(await verdict.check()));
  return { results, imports: imported.count, failedImports: imported.failures };
}

/** A report as a table, with the first of what went wrong. */
export function inWords({ results, imports, failedImports }: Report): string {
  const lines = results.map(({ race, races: number, acknowledged, refused, failures, lost }) =>
    [
      race.padEnd(36),
      ...[number, acknowledged, refused, failures.length, lost.length].map(column),
    ].join(''),
  );
  const [done, refused, failed, lost] = sumsOf(results);
  const total = [results.reduce((sum, one) => sum + one.races, 0), done, refused, failed, lost];
  const head = ['races', 'done', 'refused', 'failed', 'lost'].map(column).join('');
  const wrong = results.flatMap(({ race, failures, lost }) =>
    [...failures, ...lost].slice(0, 3).map((what) => `  ${race}: ${what}`),
  );
  return [
    `${''.padEnd(36)}${head}`,
    ...lines,
    `${'all'.padEnd(36)}${total.map(column).join('')}`,
    ...wrong,
    ...failedImports.slice(0, 3).map((what) => `  import: ${what}`),
    ...idleOf(results).map((race) => `  ${race}: nothing was acknowledged`),
    `${total[0]} races: ${done} done, ${refused} refused, ${failed} failed, ${lost} lost; ` +
      `${imports} imports beside and after them, ${failedImports.length} failed`,
  ].join('\n');
}

const column = (value: number | string) => String(value).padStart(9);

/** How many deeds were done, were refused, failed and were lost. */
function sumsOf(results: readonly Result[]): [number, number, number, number] {
  const sum = (of: (result: Result) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  return [
    sum((one) => one.acknowledged),
    sum((one) => one.refused),
    sum((one) => one.failures.length),
    sum((one) => one.lost.length),
  ];
}

/** Kinds of races that were run and in which nothing was done: they show nothing. */
function idleOf(results: readonly Result[]): string[] {
  const idle = results.filter(({ races: run, acknowledged }) => run > 0 && acknowledged === 0);
  return idle.map(({ race }) => race);
}

/** How much of a report is wrong. */
export function faultsOf({ results, failedImports }: Report): number {
  const [, , failed, lost] = sumsOf(results);
  return failed + lost + failedImports.length + idleOf(results).length;
}
