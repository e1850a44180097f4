// What the form of a maintenance window holds, and what is sent of it.

import { localOf } from '../../parts/moment.tsx';
import type { AdminWindow, MakeWindowVariables } from './windows.graphql';

/** The fields of the form: times once as the browser's clock has them, those of a week in their zone. */
export interface WindowInput {
  readonly name: string;
  readonly repeats: 'once' | 'weekly';
  readonly startsAt: string;
  readonly endsAt: string;
  readonly days: readonly number[];
  readonly fromTime: string;
  readonly untilTime: string;
  readonly timeZone: string;
  readonly integrationId: string;
  readonly monitorId: string;
  readonly measures: boolean;
  readonly isEnabled: boolean;
}

/** A new one: of all monitors, measured and not judged. */
export const nothing: WindowInput = {
  ...{ name: '', repeats: 'once', startsAt: '', endsAt: '', days: [], fromTime: '22:00' },
  ...{ untilTime: '06:00', timeZone: '', integrationId: '', monitorId: '' },
  ...{ measures: true, isEnabled: true },
};

/** One as the form shows it. */
export function inputOf(window: AdminWindow): WindowInput {
  const { name, days, timeZone, measures, isEnabled } = window;
  return {
    ...{ name, days: [...days], timeZone, measures, isEnabled },
    repeats: window.fromTime === null ? 'once' : 'weekly',
    startsAt: localOf(window.startsAt),
    endsAt: localOf(window.endsAt),
    fromTime: window.fromTime ?? nothing.fromTime,
    untilTime: window.untilTime ?? nothing.untilTime,
    integrationId: window.integrationId ?? '',
    monitorId: window.monitor?.id ?? '',
  };
}

/** The form as the server takes it: the fields of the other way to repeat are emptied. */
export function sentOf(value: WindowInput): MakeWindowVariables['input'] {
  const { name, measures, isEnabled, integrationId, monitorId, timeZone } = value;
  const isOnce = value.repeats === 'once';
  return {
    ...{ name, measures, isEnabled },
    integrationId: integrationId === '' ? null : integrationId,
    monitorId: monitorId === '' ? null : monitorId,
    ...(timeZone === '' ? {} : { timeZone }),
    startsAt: isOnce ? new Date(value.startsAt).toISOString() : null,
    endsAt: isOnce ? new Date(value.endsAt).toISOString() : null,
    days: isOnce ? [] : [...value.days],
    fromTime: isOnce ? null : value.fromTime,
    untilTime: isOnce ? null : value.untilTime,
  };
}
