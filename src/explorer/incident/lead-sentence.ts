// The sentence that an incident begins with: what is so now, and what was so before. Pure, without a page.

import { figure } from '../chart/figures.ts';
import type { ChartPoint } from '../chart/scale.ts';
import { sentenceWords as words } from '../words/incident-page.ts';

/** What the sentence is made of. */
export interface SentenceFacts {
  readonly status: string;
  readonly metric: string;
  readonly firstSeenAt: string;
  /** How many values in a row were in range again. */
  readonly goodRuns: number;
  /** The latest value out of range. */
  readonly value: number;
  /** How it stands, in the words of the server; null where it says nothing. */
  readonly standing: string | null;
  /** Since when runs fail; null where the last one measured. */
  readonly failedSince: string | null;
  /** What was measured around it, the oldest first. */
  readonly points: readonly ChartPoint[];
}

/** The sentence, and a second line of what it means; empty where that says nothing more. */
interface Sentence {
  readonly lead: string;
  readonly more: string;
}

/** So many of the values before it say what was usual. */
const usualOf = 30;
/** About a hundred times: as of cents in place of euros. */
const hundred = { from: 90, to: 110 };
/** From twice on, people say how many times it is. */
const manyTimes = 2;

/** What an incident says first. */
export function sentenceOf(facts: SentenceFacts): Sentence {
  const { status, metric, firstSeenAt, goodRuns, value, standing, failedSince, points } = facts;
  const typical = typicalOf(points, firstSeenAt);
  const last = points.at(-1)?.value ?? value;
  const said = (one: number) => figure(metric, one);
  const more = moreOf(facts, typical);
  if (status === 'resolved') return { lead: words.was(said(value)), more };
  if (failedSince !== null) return { lead: words.unknown(momentOf(failedSince)), more };
  if (goodRuns > 0) return { lead: words.back(said(last), goodRuns), more };
  if (standing !== null) return { lead: standing, more };
  return {
    lead: [
      words.still(said(last)),
      ...(typical === null ? [] : [words.before(said(typical), dayOf(firstSeenAt))]),
    ].join(' '),
    more,
  };
}

/** The middle of what was in order just before; null where nothing was measured then. */
function typicalOf(points: readonly ChartPoint[], firstSeenAt: string): number | null {
  const before = points
    .filter(
      ({ createdAt, incidentId }) =>
        incidentId === null && Date.parse(createdAt) < Date.parse(firstSeenAt),
    )
    .slice(-usualOf)
    .map(({ value }) => value)
    .sort((a, b) => a - b);
  return before[Math.floor(before.length / 2)] ?? null;
}

function moreOf({ value, points, firstSeenAt }: SentenceFacts, typical: number | null): string {
  const runs = points.filter(
    ({ createdAt, incidentId }) =>
      incidentId !== null && Date.parse(createdAt) >= Date.parse(firstSeenAt),
  ).length;
  const factor = typical === null || typical === 0 ? 0 : value / typical;
  const parts = [
    ...(factor >= manyTimes ? [words.times(factor)] : []),
    ...(runs > 0 ? [words.runs(runs)] : []),
  ].join(', ');
  const isCents = factor >= hundred.from && factor <= hundred.to;
  return [parts === '' ? '' : `${parts}.`, isCents ? words.cents : ''].join(' ').trim();
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

const dayOf = (at: string) => day.format(new Date(at));
const momentOf = (at: string) => moment.format(new Date(at));
