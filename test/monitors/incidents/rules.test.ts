// Showing what each event makes of a monitor's incident.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Decision,
  decide,
  type IncidentEvent,
  UNTROUBLED,
  type WatchedMonitor,
} from '../../../src/monitors/incidents/rules.ts';
import { VERDICTS, type Verdict } from '../../../src/monitors/learning/threshold.ts';
import { runs } from '../../trials/nightly.ts';
import { IncidentModel, type Step } from './model.ts';

const isVerdict = (step: unknown): step is Verdict => VERDICTS.some((name) => name === step);

const eventOf = (step: Step, at: number): IncidentEvent => {
  if (typeof step === 'object') return { ...step, at };
  if (isVerdict(step)) return { type: 'measured', at, value: at, verdict: step };
  if (step === 'resolved') return { type: step, at, reason: 'fixed' };
  return { type: step, at };
};

const play = (steps: readonly Step[], start: WatchedMonitor = UNTROUBLED): Decision[] => {
  let watch = start;
  return steps.map((step, at) => {
    const decision = decide(watch, eventOf(step, at));
    watch = decision.watch;
    return decision;
  });
};

const last = (decisions: readonly Decision[]): Decision => {
  const decision = decisions.at(-1);
  if (decision === undefined) throw new Error('Nothing was decided.');
  return decision;
};

describe('an incident', () => {
  test('opens at the first value out of range, and notifies once', () => {
    const decisions = play(['within', 'above', 'above', 'below']);
    expect(decisions.map(({ opened }) => opened)).toEqual([false, true, false, false]);
    expect(decisions.map(({ notify }) => notify)).toEqual([null, 'opened', null, null]);
    expect(decisions[1]?.actions).toEqual(['notification_initial']);
    expect(decisions[1]?.watch.incident).toMatchObject({ status: 'active', firstSeenAt: 1 });
  });

  test('takes every further value out of range, and remembers the latest', () => {
    const decisions = play(['above', 'within', 'below']);
    expect(decisions.map(({ attached }) => attached)).toEqual([true, false, true]);
    const incident = { firstSeenAt: 0, lastSeenAt: 2, value: 2, goodRuns: 0 };
    expect(last(decisions).watch.incident).toMatchObject(incident);
  });

  test('resolves by itself at the third value in range in a row, and says so', () => {
    const decisions = play(['above', 'within', 'within', 'above', 'within', 'within', 'within']);
    expect(decisions.map(({ watch }) => watch.incident?.status)).toEqual([
      ...new Array(6).fill('active'),
      'resolved',
    ]);
    expect(last(decisions)).toMatchObject({ notify: 'resolved', actions: ['auto_resolved'] });
    expect(last(decisions).attached).toBe(false);
    const incident = { resolveReason: 'recovered', resolvedAt: 6 };
    expect(last(decisions).watch.incident).toMatchObject(incident);
  });

  test('is untouched by a run that failed, and by a value that has no range', () => {
    const before = last(play(['above', 'within', 'within']));
    for (const step of ['run_failed', 'learning'] as const) {
      const decision = last(play([step], before.watch));
      expect(decision).toMatchObject({ watch: before.watch, notify: null, actions: [] });
    }
    expect(last(play(['run_failed', 'within'], before.watch)).notify).toBe('resolved');
  });

  test('is acknowledged by a comment, and resolves by itself all the same', () => {
    const commented = last(play(['above', 'commented']));
    expect(commented.actions).toEqual(['comment', 'acknowledged']);
    expect(commented.watch.incident).toMatchObject({ status: 'acknowledged', acknowledgedAt: 1 });
    const recovered = last(play(['within', 'within', 'within'], commented.watch));
    expect(recovered.watch.incident?.status).toBe('resolved');
    expect(recovered.notify).toBe('resolved');
  });

  test('keeps who acknowledged it first', () => {
    const decisions = play(['above', 'acknowledged', 'commented', 'acknowledged', 'above']);
    const incident = { status: 'acknowledged', acknowledgedAt: 1 };
    expect(last(decisions).watch.incident).toMatchObject(incident);
    expect(decisions.map(({ actions }) => actions.length)).toEqual([1, 1, 1, 0, 0]);
  });

  test('that a person called fixed goes on unless the next three values are in range', () => {
    for (const good of [0, 1, 2, 3]) {
      const steps: Step[] = ['above', 'resolved', ...new Array<Step>(good).fill('within'), 'above'];
      const decision = last(play(steps));
      const isProven = good === 3;
      expect(decision).toMatchObject({ opened: isProven, attached: true });
      expect(decision.notify).toBe(isProven ? 'opened' : 'reopened');
      const incident = {
        status: 'active',
        firstSeenAt: isProven ? good + 2 : 0,
        resolveReason: null,
      };
      expect(decision.watch.incident).toMatchObject(incident);
    }
    expect(last(play(['above', 'resolved', 'new_level'])).notify).toBe('reopened');
  });

  test('that a person resolved for another reason gives way to a new one at the next breach', () => {
    for (const reason of ['expected', 'other', 'false_positive'] as const) {
      const { watch } = last(play(['above']));
      const resolved = decide(watch, { type: 'resolved', at: 1, reason });
      expect(last(play(['above'], resolved.watch))).toMatchObject({
        opened: true,
        notify: 'opened',
      });
    }
  });

  test('stays open at a new level, which is neither good nor bad, and ends when the old one is forgotten', () => {
    const { watch } = last(play(['above', 'above', 'above', 'within', 'within']));
    const level = { before: 44, isForgotten: false };
    const event = { type: 'measured', at: 9, value: 2_267, verdict: 'new_level', level } as const;
    const still = decide(watch, event);
    expect(still).toMatchObject({ opened: false, attached: false, notify: null, actions: [] });
    expect(still.watch.incident).toMatchObject({ status: 'active', value: 2_267, goodRuns: 0 });
    const over = decide(still.watch, { ...event, level: { ...level, isForgotten: true } });
    expect(over).toMatchObject({ notify: 'resolved', actions: ['auto_resolved'] });
    expect(over.watch.incident).toMatchObject({ status: 'resolved', resolveReason: 'new_level' });
    expect(decide(UNTROUBLED, event)).toMatchObject({ opened: false, notify: null });
  });

  test('opens for nothing that somebody expects for now', () => {
    const expected = { ...UNTROUBLED, isExpected: true };
    expect(last(play(['above', 'below'], expected))).toMatchObject({
      opened: false,
      attached: false,
    });
    const { watch } = last(play(['above']));
    expect(last(play(['above'], { ...watch, isExpected: true })).attached).toBe(true);
  });

  test('can be commented on when it is over, and stays over', () => {
    const decision = last(play(['above', 'resolved', 'commented']));
    expect(decision.watch.incident?.status).toBe('resolved');
    expect(decision.actions).toEqual(['comment']);
  });

  test('is active once more when somebody takes back that it is acknowledged', () => {
    const back = last(play(['above', 'acknowledged', 'within', 'reopened']));
    expect(back).toMatchObject({ opened: false, notify: null, actions: ['reopened'] });
    const incident = { status: 'active', acknowledgedAt: null, goodRuns: 1 };
    expect(back.watch.incident).toMatchObject(incident);
  });

  test('goes on when it is reopened, and notifies no one again', () => {
    const reopened = last(play(['above', 'commented', 'resolved', 'reopened']));
    expect(reopened).toMatchObject({ opened: false, notify: null, actions: ['reopened'] });
    const incident = { status: 'active', resolvedAt: null, resolveReason: null };
    expect(reopened.watch.incident).toMatchObject(incident);
    expect(last(play(['above'], reopened.watch))).toMatchObject({ opened: false, attached: true });
  });

  test('ends with its monitor, with that reason', () => {
    for (const type of ['monitor_disabled', 'monitor_deleted'] as const) {
      const decision = last(play(['above', type]));
      expect(decision.watch.incident).toMatchObject({ status: 'resolved', resolveReason: type });
      expect(decision.notify).toBe('resolved');
      expect(last(play([type])).notify).toBeNull();
    }
  });

  test('never opens while its monitor is disabled', () => {
    const decisions = play(['monitor_disabled', 'above', 'monitor_enabled', 'above']);
    expect(decisions.map(({ opened }) => opened)).toEqual([false, false, false, true]);
  });

  test('refuses what makes no sense, in words', () => {
    for (const steps of [
      ['resolved'],
      ['acknowledged'],
      ['commented'],
      ['reopened'],
      ['above', 'reopened'],
      ['above', 'resolved', 'resolved'],
      ['above', 'resolved', 'acknowledged'],
      ['above', 'monitor_disabled', 'reopened'],
    ] as const) {
      const decisions = play(steps);
      const before = decisions.at(-2)?.watch ?? UNTROUBLED;
      expect(last(decisions).refused).toMatch(/\.$/);
      expect(last(decisions)).toMatchObject({ watch: before, actions: [], notify: null });
    }
  });

  test('takes a late measurement without going back in time', () => {
    const open = decide(UNTROUBLED, { type: 'measured', at: 50, value: 1, verdict: 'above' });
    const late = decide(open.watch, { type: 'measured', at: 20, value: 2, verdict: 'above' });
    expect(late.watch.incident?.lastSeenAt).toBe(50);
  });
});

describe('10,000 random histories', () => {
  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    { weight: 5, arbitrary: fc.constant<Step>('within') },
    { weight: 4, arbitrary: fc.constantFrom<Step>('above', 'below') },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Step>(
        'new_level',
        'learning',
        'run_failed',
        'commented',
        'acknowledged',
        'marked_normal',
        'resolved',
        'reopened',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Step>('monitor_disabled', 'monitor_enabled', 'monitor_deleted'),
    },
  );

  test('keep the rules', () => {
    let histories = 0;
    const seen = { opened: 0, autoResolved: 0, reopened: 0, refused: 0 };
    const holds = fc.property(fc.array(anyStep, { minLength: 20, maxLength: 60 }), (steps) => {
      histories++;
      const model = new IncidentModel();
      let watch = UNTROUBLED;
      let notifications = 0;
      let incidents = 0;
      for (const [at, step] of steps.entries()) {
        const before = watch;
        const decision = decide(watch, eventOf(step, at));
        const { opened, attached, notify } = decision;
        watch = decision.watch;
        assert.deepEqual({ opened, attached, notify }, model.take(step));

        const { incident } = watch;
        const isOpen = incident !== null && incident.status !== 'resolved';
        assert.equal(isOpen, model.open);
        assert.equal(watch.isEnabled, model.enabled);
        if (isOpen) {
          assert.equal(incident.status, model.acknowledged ? 'acknowledged' : 'active');
          assert.equal(incident.goodRuns, model.good);
          assert.equal(incident.resolvedAt, null);
          assert.equal(incident.resolveReason, null);
          assert.ok(watch.isEnabled);
        } else if (incident !== null) {
          assert.notEqual(incident.resolvedAt, null);
          assert.notEqual(incident.resolveReason, null);
        }
        if (incident !== null) assert.ok(incident.firstSeenAt <= incident.lastSeenAt);
        // An open incident is never replaced, only changed.
        if (opened) assert.equal(before.incident?.status ?? 'resolved', 'resolved');
        if (step === 'run_failed' || step === 'learning' || decision.refused !== null) {
          assert.deepEqual(watch, before);
          assert.deepEqual(decision.actions, []);
        }
        if (opened) incidents++;
        notifications += decision.actions.filter((name) => name === 'notification_initial').length;
        assert.equal(notifications, incidents);
        seen.opened += opened ? 1 : 0;
        seen.autoResolved += decision.actions.includes('auto_resolved') ? 1 : 0;
        seen.reopened += decision.actions.includes('reopened') ? 1 : 0;
        seen.refused += decision.refused === null ? 0 : 1;
      }
    });
    fc.assert(holds, { numRuns: runs(10_000), seed: 4242, endOnFailure: true });
    expect(histories).toBe(runs(10_000));
    // The histories go where the rules are.
    expect(seen.opened).toBeGreaterThan(runs(10_000));
    expect(seen.autoResolved).toBeGreaterThan(runs(1_000));
    expect(seen.reopened).toBeGreaterThan(runs(1_000));
    expect(seen.refused).toBeGreaterThan(runs(1_000));
  });
});
