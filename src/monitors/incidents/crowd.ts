// Who is around incidents: people who watch what they concern, and rules that are about them.

import type { Context } from '../../context.ts';
import type { Incident, Monitor } from '../../generated/prisma/client.ts';
import type { Event } from '../../notifications/event.ts';
import { namedBy } from '../../notifications/named.ts';
import { rulesFor } from '../../notifications/rule.ts';
import { standingOf } from '../../notifications/rule-destinations.ts';
import { makersOf, thoseWhoMayRead, watchersOf } from '../../notifications/watcher.ts';
import {
  type Addressee,
  addresseesOf,
  asksFor,
  type Crowd,
  concerns,
  type Orders,
} from './audience.ts';
import { type IncidentReach, reachOfEach } from './concern.ts';
import { isMuted } from './mute.ts';
import { chatOf } from './story.ts';

/** What rules are asked about: an incident, or one that a monitor may open. */
interface Subject {
  readonly reach: IncidentReach;
  readonly monitor: Pick<Monitor, 'id' | 'metricType'>;
  readonly incident?: Pick<Incident, 'severity'>;
  readonly isMuted?: boolean;
}

/** What holds where no rule is asked. */
export const noOrders: Orders = {
  ...{ rules: [], named: new Map() },
  standing: { optedOut: new Set(), enabled: new Set(), listening: [] },
};

/**
 * The rules about each subject, and what they say; none where it is muted: those who heard of its beginning hear of
 * its end all the same.
 */
export async function ordersFor(
  ctx: Context,
  subjects: readonly Subject[],
  event: Event,
): Promise<Orders[]> {
  const isAnyHeard = subjects.some(({ isMuted: isQuiet = false }) => !isQuiet);
  const all = isAnyHeard ? await rulesFor(ctx, event) : [];
  const each = subjects.map(({ reach, monitor, incident, isMuted: isQuiet = false }) =>
    all.filter(
      (rule) => !isQuiet && concerns(rule, reach) && asksFor(rule, monitor, incident?.severity),
    ),
  );
  const rules = [...new Set(each.flat())];
  const standing = await standingOf(ctx, rules, event);
  const named = await namedBy(ctx, rules);
  return each.map((own) => ({ rules: own, standing, named }));
}

/**
 * Who would be notified if an incident of each of some monitors opened now, by its id; no one where its target is
 * gone, or while it is muted.
 */
export async function addresseesOfMonitors(
  ctx: Context,
  monitors: readonly Monitor[],
): Promise<Map<string, Addressee[]>> {
  const speaking = monitors.filter((monitor) => !isMuted(monitor, ctx.now()));
  const reaches = await reachOfEach(ctx, [...new Set(speaking.map(({ targetId }) => targetId))]);
  const subjects = speaking.flatMap((monitor) => {
    const reach = reaches.get(monitor.targetId);
    return reach ? [{ reach, monitor, madeBy: monitor.createdById }] : [];
  });
  const seen = await lookAroundEach(ctx, subjects);
  return new Map(
    seen.map(({ subject: { reach, monitor }, crowd, orders }) => [
      monitor.id,
      addresseesOf(reach, chatOf(monitor), crowd, orders),
    ]),
  );
}

/** Who watches what each incident concerns, or made its monitor, and which rules are about it. */
export async function lookAroundEach<About extends Subject & { readonly madeBy: string | null }>(
  ctx: Context,
  subjects: readonly About[],
) {
  const idsOf = ({ target, below, above }: IncidentReach) =>
    [target, ...below, ...above].map(({ id }) => id);
  const nearAll = new Set(subjects.flatMap(({ reach }) => idsOf(reach)));
  const watchers = await watchersOf(ctx, [...nearAll]);
  const made = subjects.map(({ reach, madeBy }) => ({
    resourceId: reach.target.id,
    userId: madeBy,
  }));
  const makers = await makersOf(ctx, made);
  const people = new Set([...watchers, ...makers].map(({ userId }) => userId));
  const seeing = await thoseWhoMayRead(ctx, [...nearAll], [...people]);
  const seers = (id: string): ReadonlySet<string> => seeing.get(id) ?? new Set();
  const orders = await ordersFor(ctx, subjects, 'incident_opened');
  return subjects.map((subject, i) => {
    const { target, below, dashboards } = subject.reach;
    const near = new Set(idsOf(subject.reach));
    const crowd: Crowd = {
      watchers: [
        ...watchers.filter(({ resourceId }) => near.has(resourceId)),
        ...makers.filter(
          ({ resourceId, userId }) => resourceId === target.id && userId === subject.madeBy,
        ),
      ],
      seeing: seers(target.id),
      seeingBelow: new Set(
        [...people].filter((one) => below.every(({ id }) => seers(id).has(one))),
      ),
      seeingDashboards: new Map(dashboards.map(({ id }) => [id, seers(id)])),
    };
    return { subject, crowd, orders: orders[i] ?? noOrders };
  });
}
