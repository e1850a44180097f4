// The fields of when a monitor runs.

import { Choice } from '../parts/choosing/choice.tsx';
import { monitorWords as words } from '../words/quality.ts';

const cadences = ['hourly', 'daily', 'weekly', 'monthly'] as const;

/** When a monitor runs, in UTC. */
export interface Schedule {
  readonly cadence: (typeof cadences)[number];
  readonly frequency: number;
  readonly hour: number;
  readonly day: number;
}

/** The schedule of a new monitor. */
export const usualSchedule: Schedule = { cadence: 'daily', frequency: 6, hour: 6, day: 1 };

const most = { frequency: 168, hour: 23, day: 28 };

interface ScheduleProps {
  readonly schedule: Schedule;
  readonly change: (schedule: Schedule) => void;
}

/** The fields. */
export function ScheduleFields({ schedule, change }: ScheduleProps) {
  const { cadence, frequency, hour, day } = schedule;
  const set = (changes: Partial<Schedule>) => change({ ...schedule, ...changes });
  return (
    <div className="line-of-fields">
      <Choice
        label={words.how}
        none={null}
        value={cadence}
        choices={cadences.map((id) => ({ id, name: words.cadences[id] }))}
        choose={(id) => set({ cadence: cadences.find((one) => one === id) ?? 'daily', day: 1 })}
      />
      {cadence === 'hourly' && (
        <Count
          label={words.every}
          value={frequency}
          min={1}
          max={most.frequency}
          set={(count) => set({ frequency: count })}
        />
      )}
      {cadence === 'weekly' && (
        <Choice
          label={words.weekday}
          none={null}
          value={String(day)}
          choices={words.weekdays.map((name, at) => ({ id: String(at), name }))}
          choose={(id) => set({ day: Number(id) })}
        />
      )}
      {cadence === 'monthly' && (
        <Count
          label={words.monthday}
          value={day}
          min={1}
          max={most.day}
          set={(count) => set({ day: count })}
        />
      )}
      {cadence !== 'hourly' && (
        <Count
          label={words.hour}
          value={hour}
          min={0}
          max={most.hour}
          set={(count) => set({ hour: count })}
        />
      )}
    </div>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly set: (count: number) => void;
}

function Count({ label, value, min, max, set }: CountProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <input
        type="number"
        required
        value={Number.isNaN(value) ? '' : value}
        min={min}
        max={max}
        onChange={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
    </label>
  );
}
