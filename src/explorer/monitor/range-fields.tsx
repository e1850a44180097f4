// The fields of a range: learned at a sensitivity, or given by hand.

import { useId, useState } from 'react';
import { figure, isPercent, isTime } from '../chart/figures.ts';
import { Choice } from '../parts/choosing/choice.tsx';
import { monitorWords as words } from '../words/quality.ts';

const adaptations = ['robust', 'normal', 'agile'] as const;
type Adaptation = (typeof adaptations)[number];

/** A range as somebody fills it in. */
export interface Condition {
  readonly isLearned: boolean;
  readonly sensitivity: number;
  readonly adaptation: Adaptation;
  /** As it is written: an empty text for none. */
  readonly lowest: string;
  readonly highest: string;
}

const usualSensitivity = 5;
const most = 10;

/** A range as the API has it. */
interface Stored {
  readonly conditionAutoSensitivity: number | null;
  readonly conditionManualMin: number | null;
  readonly conditionManualMax: number | null;
  readonly adaptation: Adaptation;
}

/** The range of a new monitor. */
export const usualCondition: Condition = {
  isLearned: true,
  sensitivity: usualSensitivity,
  adaptation: 'normal',
  lowest: '',
  highest: '',
};

/** A monitor's range. */
export function conditionOf(stored: Stored): Condition {
  const { conditionAutoSensitivity, conditionManualMin, conditionManualMax } = stored;
  return {
    isLearned: conditionAutoSensitivity !== null,
    sensitivity: conditionAutoSensitivity ?? usualSensitivity,
    adaptation: stored.adaptation,
    lowest: conditionManualMin === null ? '' : String(conditionManualMin),
    highest: conditionManualMax === null ? '' : String(conditionManualMax),
  };
}

/** The range for the API. */
export function asGiven(condition: Condition): Stored {
  const { isLearned, sensitivity, adaptation, lowest, highest } = condition;
  if (isLearned) {
    return {
      conditionAutoSensitivity: sensitivity,
      conditionManualMin: null,
      conditionManualMax: null,
      adaptation,
    };
  }
  const [conditionManualMin = null, conditionManualMax = null] = [lowest, highest].map((text) =>
    text === '' || !Number.isFinite(Number(text)) ? null : Number(text),
  );
  return { conditionAutoSensitivity: null, conditionManualMin, conditionManualMax, adaptation };
}

/** The range in a few words, in the unit of what is measured. */
export function asText(metric: string, condition: Condition): string {
  const { isLearned, sensitivity, lowest, highest } = condition;
  const said = (bound: string) => (bound === '' ? '…' : figure(metric, Number(bound)));
  if (isLearned) return `${words.isLearned}. ${words.sensitivity}: ${sensitivity}.`;
  return `${words.isGiven}: ${said(lowest)} – ${said(highest)}.`;
}

/** Whether two ranges are one. */
export function isSame(one: Condition, other: Condition): boolean {
  return JSON.stringify(asGiven(one)) === JSON.stringify(asGiven(other));
}

interface FieldsProps {
  /** What is measured: the bounds are in its unit. */
  readonly metric: string;
  readonly condition: Condition;
  readonly change: (condition: Condition) => void;
}

/** The fields. */
export function RangeFields({ metric, condition, change }: FieldsProps) {
  const { isLearned, sensitivity, adaptation, lowest, highest } = condition;
  const name = useId();
  const hint = useId();
  return (
    <div className="fields">
      {[true, false].map((learned) => (
        <label key={String(learned)} className="radio">
          <input
            type="radio"
            name={name}
            checked={isLearned === learned}
            onChange={() => change({ ...condition, isLearned: learned })}
          />
          {learned ? words.isLearned : words.isGiven}
        </label>
      ))}
      {isLearned && (
        <Choice
          label={words.adaptation}
          none={null}
          value={adaptation}
          choices={adaptations.map((id) => ({ id, name: words.adaptations[id] }))}
          choose={(chosen) => {
            const next = adaptations.find((one) => one === chosen);
            if (next) change({ ...condition, adaptation: next });
          }}
        />
      )}
      {isLearned ? (
        <label className="choice">
          <span>
            {words.sensitivity} <b>{sensitivity}</b>
          </span>
          <input
            type="range"
            min={1}
            max={most}
            value={sensitivity}
            aria-describedby={hint}
            onChange={({ currentTarget }) =>
              change({ ...condition, sensitivity: currentTarget.valueAsNumber })
            }
          />
          <small className="quiet" id={hint}>
            {words.sensitivityHint}
          </small>
        </label>
      ) : (
        <>
          <Bound
            metric={metric}
            label={words.lowest}
            value={lowest}
            set={(text) => change({ ...condition, lowest: text })}
          />
          <Bound
            metric={metric}
            label={words.highest}
            value={highest}
            set={(text) => change({ ...condition, highest: text })}
          />
        </>
      )}
    </div>
  );
}

const secondsPerHour = 3_600;

/** A bound as it is written in hours: an empty text for none. */
function hoursOf(seconds: string): string {
  return seconds === '' ? '' : String(Number((Number(seconds) / secondsPerHour).toFixed(4)));
}

interface BoundProps {
  readonly metric: string;
  readonly label: string;
  readonly value: string;
  readonly set: (text: string) => void;
}

/** One bound, in hours where seconds are measured. */
function Bound({ metric, label, value, set }: BoundProps) {
  const isInHours = isTime(metric);
  const asRead = isInHours ? hoursOf(value) : value;
  const [typed, setTyped] = useState(asRead);
  // What is typed stays as it is, such as 1.50, until another value is set.
  const isTyped = typed === asRead || (typed !== '' && Number(typed) === Number(asRead));
  const unit = isInHours ? words.hours : isPercent(metric) ? '%' : null;
  return (
    <label className="choice">
      <span>{unit === null ? label : words.inUnit(label, unit)}</span>
      <input
        type="number"
        step="any"
        value={isTyped ? typed : asRead}
        onChange={({ currentTarget: { value: text } }) => {
          setTyped(text);
          set(isInHours && text !== '' ? String(Number(text) * secondsPerHour) : text);
        }}
      />
    </label>
  );
}
