// Trying a monitor before it is made: what it measures now, or why the source refuses it.

import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { figure } from '../chart/figures.ts';
import { Problem } from '../parts/problem.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { type MakeMonitorVariables, TryMonitor, type TryMonitorData } from './new.graphql';

type Input = MakeMonitorVariables['input'];

/** The button, and what came of it; what was tried of another input is no longer shown. */
export function Trial({ input, isReady }: { input: Input; isReady: boolean }) {
  const trial = useAct<Input, TryMonitorData>((tried) => ask(TryMonitor, { input: tried }), []);
  const isOfThis = JSON.stringify(trial.variables) === JSON.stringify(input);
  const found = isOfThis ? trial.data?.testMonitor : undefined;
  return (
    <div className="trial" aria-busy={trial.isPending}>
      <button
        type="button"
        disabled={!isReady || trial.isPending}
        onClick={() => trial.mutate(input)}
      >
        {trial.isPending ? words.trying : words.try}
      </button>
      <span className="quiet">{words.tryHint}</span>
      {isOfThis && trial.error && <Problem error={trial.error} />}
      {found && <Found found={found} input={input} />}
    </div>
  );
}

function Found({ found, input }: { found: TryMonitorData['testMonitor']; input: Input }) {
  const { outcome, value, message } = found;
  if (value === null) {
    return (
      <div className="problem" role="alert">
        <p>
          <b>{words.outcomes[outcome]}</b> {message}
        </p>
      </div>
    );
  }
  return (
    <p role="status">
      {words.wouldMeasure} <b>{figure(input.metricType, value)}</b>.{' '}
      {isOut(value, input) && <span className="badge alarm">{words.wouldOpen}</span>}
    </p>
  );
}

/** Whether a value is beyond a bound that is given by hand. */
function isOut(
  value: number,
  { conditionManualMin: min, conditionManualMax: max }: Input,
): boolean {
  return value < (min ?? Number.NEGATIVE_INFINITY) || value > (max ?? Number.POSITIVE_INFINITY);
}
