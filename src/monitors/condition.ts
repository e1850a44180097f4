// When a monitor's value is out of range: by a learned range, or by a given one.

import type { Context } from '../context.ts';
import { invalid, invalidField } from '../errors.ts';
import { checkFields, type FieldsOf, finite, whole } from '../fields.ts';
import { warn } from '../warning.ts';

/** A condition as a client gives it. */
export interface ConditionInput {
  /** 1 to 10 for a learned range; null for a given one. */
  conditionAutoSensitivity?: number | null | undefined;
  conditionManualMin?: number | null | undefined;
  conditionManualMax?: number | null | undefined;
}

/** The condition of a new monitor; warns of a bound that has no effect. */
export function newCondition(
  ctx: Context,
  metric: { readonly isFault?: boolean },
  input: ConditionInput,
): Condition {
  warnOfBounds(ctx, input);
  return conditionFor(metric, input);
}

/** The condition of a metric: as it is given, or else, of one that counts faults, that there are none. */
export function conditionFor({ isFault }: { readonly isFault?: boolean }, input: ConditionInput) {
  const { conditionAutoSensitivity, conditionManualMin, conditionManualMax } = input;
  const given = conditionAutoSensitivity ?? conditionManualMin ?? conditionManualMax ?? null;
  return readCondition(isFault && given === null ? { conditionManualMax: 0 } : input);
}

/** A condition as a monitor keeps it. */
export interface Condition {
  conditionAutoSensitivity: number | null;
  conditionManualMin: number | null;
  conditionManualMax: number | null;
}

export const conditionFields: FieldsOf<ConditionInput, Condition> = {
  conditionAutoSensitivity: whole('condition_auto_sensitivity', 1, 10),
  conditionManualMin: finite('condition_manual_min'),
  conditionManualMax: finite('condition_manual_max'),
};

const defaultSensitivity = 5;

/**
 * Check a condition: a sensitivity of 1 to 10 means a learned range, and the bounds count for nothing;
 * without one, a bound makes it manual. Nothing at all is automatic at 5. Throws BAD_REQUEST for a
 * sensitivity out of range, for a manual condition without bounds, and for a minimum above the maximum.
 */
export function readCondition(input: ConditionInput): Condition {
  const {
    conditionAutoSensitivity: sensitivity,
    conditionManualMin: min = null,
    conditionManualMax: max = null,
  } = checkFields({ fields: conditionFields }, input);
  if (sensitivity != null) return automatic(sensitivity);
  if (min === null && max === null) {
    if (sensitivity === undefined) return automatic(defaultSensitivity);
    throw invalid('A manual condition needs a minimum, a maximum or both.', [
      { field: 'condition_manual_min', message: 'Give this, condition_manual_max or both.' },
    ]);
  }
  if (min !== null && max !== null && min > max) {
    throw invalidField(
      'condition_manual_min',
      `This is above condition_manual_max: ${min} > ${max}.`,
    );
  }
  return { conditionAutoSensitivity: null, conditionManualMin: min, conditionManualMax: max };
}

/** Next to a sensitivity, bounds are no error: clients send back what they have read. */
function warnOfBounds(ctx: Context, input: ConditionInput): void {
  const { conditionAutoSensitivity, conditionManualMin: min, conditionManualMax: max } = input;
  if (conditionAutoSensitivity == null || (min == null && max == null)) return;
  warn(
    ctx,
    min == null ? 'condition_manual_max' : 'condition_manual_min',
    'A bound has no effect next to a sensitivity: send null as condition_auto_sensitivity for it to count.',
  );
}

/**
 * What a change makes of a condition: absent fields leave it alone, and a bound alone makes a learned
 * range a given one. Warns of a bound that has no effect. Throws as `readCondition`.
 */
export function changedCondition(
  ctx: Context,
  before: Condition,
  input: ConditionInput,
): Partial<Condition> {
  warnOfBounds(ctx, input);
  const {
    conditionAutoSensitivity: sensitivity,
    conditionManualMin: min,
    conditionManualMax: max,
  } = input;
  if (sensitivity === undefined && min === undefined && max === undefined) return {};
  const isGiven = sensitivity === undefined && (min != null || max != null);
  return readCondition({
    conditionAutoSensitivity: orBefore(
      sensitivity,
      isGiven ? null : before.conditionAutoSensitivity,
    ),
    conditionManualMin: orBefore(min, before.conditionManualMin),
    conditionManualMax: orBefore(max, before.conditionManualMax),
  });
}

const orBefore = (given: number | null | undefined, before: number | null): number | null =>
  given === undefined ? before : given;

function automatic(sensitivity: number): Condition {
  return {
    conditionAutoSensitivity: sensitivity,
    conditionManualMin: null,
    conditionManualMax: null,
  };
}
