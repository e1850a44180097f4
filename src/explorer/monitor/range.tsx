// A monitor's range: learned or given, tried on the history before it is saved.

import { useEffect, useId, useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useForm } from '../asking/form.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import type { Band } from '../chart/scale.ts';
import { Overtaken, Problem } from '../parts/problem.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { words as common } from '../words.ts';
import { isDeclared } from './head.tsx';
import { MonitorBacktest, SaveMonitor } from './page.graphql';
import {
  asGiven,
  asText,
  type Condition,
  conditionOf,
  isSame,
  RangeFields,
} from './range-fields.tsx';
import { type MonitorThere, renewed } from './shown.ts';

const pauseMs = 250;

interface RangeProps {
  readonly monitor: MonitorThere;
  readonly mayEdit: boolean;
  /** Draw what would have been expected; null for what was. */
  readonly show: (bands: readonly Band[] | null) => void;
}

/** The settings of the range, for who may change them; what they are, for all others. */
export function Range({ monitor, mayEdit, show }: RangeProps) {
  const before = conditionOf(monitor);
  const form = useForm<Condition>(before);
  const condition = form.value;
  const isChanged = !isSame(condition, before);
  const { incidents, points, error, isTrying } = useBacktest(
    monitor.id,
    condition,
    isChanged,
    show,
  );
  const { id, version } = monitor;
  const save = useAct(() => ask(SaveMonitor, { id, version, input: asGiven(condition) }), renewed);
  const heading = useId();
  if (!mayEdit || isDeclared(monitor)) {
    return (
      <section>
        <h2>{words.settings}</h2>
        <p>{asText(monitor.metricType, before)}</p>
      </section>
    );
  }
  const isWhole = condition.isLearned || condition.lowest !== '' || condition.highest !== '';
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{words.settings}</h2>
      <RangeFields metric={monitor.metricType} condition={condition} change={form.write} />
      <p className="quiet" role="status">
        {!isWhole && words.needBound}
        {isWhole && isTrying && words.backtesting}
        {isWhole &&
          !isTrying &&
          incidents !== null &&
          (isChanged ? words.backtest(incidents, points) : words.asItIs(incidents))}
      </p>
      {error !== null && <Problem error={error} />}
      {form.isOvertaken ? (
        <Overtaken take={form.drop}>{asText(monitor.metricType, before)}</Overtaken>
      ) : (
        save.error && <Problem error={save.error} />
      )}
      {isChanged && (
        <div className="acts">
          <button
            type="button"
            className="main"
            disabled={save.isPending || !isWhole}
            onClick={() => save.mutate(undefined, { onSuccess: form.drop })}
          >
            {form.isOvertaken ? common.edit.saveAnyway : words.save}
          </button>
          <button type="button" onClick={form.drop}>
            {words.undo}
          </button>
        </div>
      )}
    </section>
  );
}

/** What a condition would have made of the history; it is asked for when somebody stops moving. */
function useBacktest(
  id: string,
  condition: Condition,
  isChanged: boolean,
  show: RangeProps['show'],
) {
  const [settled, setSettled] = useState(condition);
  useEffect(() => {
    const timer = setTimeout(setSettled, pauseMs, condition);
    return () => clearTimeout(timer);
  }, [condition]);
  const { conditionAutoSensitivity, conditionManualMin, conditionManualMax } = asGiven(settled);
  const isWhole = settled.isLearned || conditionManualMin !== null || conditionManualMax !== null;
  const { data, error, isFetching } = useAnswer(
    MonitorBacktest,
    {
      id,
      sensitivity: conditionAutoSensitivity,
      adaptation: settled.adaptation,
      bounds: settled.isLearned ? null : { lower: conditionManualMin, upper: conditionManualMax },
    },
    { isKept: true, isWanted: isWhole },
  );
  const backtest = data?.monitorBacktest;
  useEffect(() => {
    const bands = backtest?.points.map(({ at, lower, upper }) => ({
      ...{ lower, upper },
      at: Date.parse(at),
    }));
    // Of a range without bounds nothing is expected yet.
    show(isChanged && isWhole && bands ? bands : null);
  }, [backtest, isChanged, isWhole, show]);
  return {
    incidents: backtest?.incidents ?? null,
    points: backtest?.points.length ?? 0,
    error,
    isTrying: isFetching || !isSame(settled, condition),
  };
}
