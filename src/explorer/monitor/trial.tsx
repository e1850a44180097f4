// Trying a monitor before it is made: what it measures now, or why the source refuses it.

import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { figure } from '../chart/figures.ts';
import { Problem } from '../parts/problem.tsx';
import { megabytes } from '../uploads/megabytes.ts';
import { monitorWords as words } from '../words/quality.ts';
import {
  type MakeMonitorVariables,
  type MonitorTarget,
  SourcesThatEstimate,
  type SourcesThatEstimateData,
  TryMonitor,
  type TryMonitorData,
} from './new.graphql';

type Input = MakeMonitorVariables['input'];

interface TrialProps {
  readonly input: Input;
  readonly target: MonitorTarget;
  readonly isReady: boolean;
}

interface Tried {
  readonly input: Input;
  /** Whether it is measured; otherwise the source only says what it would read. */
  readonly run: boolean;
}

/**
 * The button, and what came of it; what was tried of another input is no longer shown. Where the source can say what a run
 * reads, the button asks for that first.
 */
export function Trial({ input, target, isReady }: TrialProps) {
  const types = useAnswer(SourcesThatEstimate, {});
  const trial = useAct<Tried, TryMonitorData>((tried) => ask(TryMonitor, { ...tried }), []);
  const isOfThis = JSON.stringify(trial.variables?.input) === JSON.stringify(input);
  const found = isOfThis ? trial.data?.testMonitor : undefined;
  const run = found !== undefined || !doesEstimate(types.data, target);
  const isRunning = trial.isPending ? trial.variables.run : run;
  const [label, doing, hint] = isRunning
    ? [words.try, words.trying, words.tryHint]
    : [words.estimate, words.estimating, words.estimateHint];
  return (
    <div className="trial" aria-busy={trial.isPending}>
      <button
        type="button"
        disabled={!isReady || types.isPending || trial.isPending}
        onClick={() => trial.mutate({ input, run })}
      >
        {trial.isPending ? doing : label}
      </button>
      <span className="quiet">{hint}</span>
      {isOfThis && trial.error && <Problem error={trial.error} />}
      {found && found.estimatedBytes !== null && (
        <p role="status">
          {words.wouldRead} <b>{megabytes(found.estimatedBytes)}</b>. {words.billed}
        </p>
      )}
      {found && found.outcome !== 'ESTIMATED' && <Found found={found} input={input} />}
    </div>
  );
}

function doesEstimate(data: SourcesThatEstimateData | undefined, target: MonitorTarget): boolean {
  const type = data?.integrationTypes.find(({ name }) => name === target.integration?.type);
  return type?.capabilities.includes('estimate') ?? false;
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
