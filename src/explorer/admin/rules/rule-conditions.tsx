// What else a rule asks for: severities, metrics, and the hours in which it sends.

import { ChooseSeveral } from '../../parts/choosing/choose.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { metricName, metricNames } from '../../words/names/metrics.ts';
import type { MakeRuleVariables } from './rules.graphql';

type Input = MakeRuleVariables['input'];
type Severity = NonNullable<Input['severities']>[number];
type Metric = NonNullable<Input['metricTypes']>[number];

/** All severities: the compiler holds that none is missing. */
const severities: Readonly<Record<Severity, true>> = {
  low: true,
  medium: true,
  high: true,
  critical: true,
};
const severityNames = Object.keys(severities).filter(
  (name): name is Severity => name in severities,
);
const isMetric = (name: string): name is Metric => metricNames.includes(name);
const usual = { hoursFrom: 9, hoursUntil: 17, hoursDays: [0, 1, 2, 3, 4] };
const none = { hoursFrom: null, hoursUntil: null, hoursDays: [] };

interface ConditionsProps {
  readonly input: Input;
  readonly write: (changes: Partial<Input>) => void;
}

/** The fields. */
export function Conditions({ input, write }: ConditionsProps) {
  return (
    <>
      <div className="line-of-fields">
        <ChooseSeveral
          label={words.ruleSeverities}
          choices={severityNames.map((id) => ({ id, name: id }))}
          chosen={input.severities ?? []}
          set={(ids) => write({ severities: severityNames.filter((one) => ids.includes(one)) })}
        />
        <ChooseSeveral
          label={words.ruleMetrics}
          choices={metricNames.map((id) => ({ id, name: metricName(id) }))}
          chosen={input.metricTypes ?? []}
          set={(ids) => write({ metricTypes: ids.filter(isMetric) })}
        />
      </div>
      <Hours input={input} write={write} />
    </>
  );
}

function Hours({ input, write }: ConditionsProps) {
  const { hoursFrom: from = null, hoursUntil: until = null, hoursDays } = input;
  const days = hoursDays ?? [];
  return (
    <>
      <label className="radio">
        <input
          type="checkbox"
          checked={from !== null}
          onChange={({ currentTarget }) => write(currentTarget.checked ? usual : none)}
        />
        {words.ruleHoursToo}
      </label>
      {from !== null && (
        <div className="line-of-fields">
          <Hour label={words.hoursFrom} value={from} set={(hoursFrom) => write({ hoursFrom })} />
          <Hour
            label={words.hoursUntil}
            value={until ?? 0}
            set={(hoursUntil) => write({ hoursUntil })}
          />
          <ChooseSeveral
            label={words.hoursDays}
            choices={words.days.map((name, day) => ({ id: String(day), name }))}
            chosen={days.map(String)}
            set={(ids) => write({ hoursDays: ids.map(Number) })}
          />
        </div>
      )}
    </>
  );
}

interface HourProps {
  readonly label: string;
  readonly value: number;
  readonly set: (hour: number) => void;
}

function Hour({ label, value, set }: HourProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <input
        type="number"
        min={0}
        max={24}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.valueAsNumber || 0)}
      />
    </label>
  );
}
