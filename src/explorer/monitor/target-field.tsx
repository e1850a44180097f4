// Choice of what a monitor measures.

import { Chosen, FindResource } from '../parts/find-resource.tsx';
import { Chip } from '../parts/icon.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { type MonitorTarget, TargetsToMonitor } from './new.graphql';

interface TargetFieldProps {
  readonly target: MonitorTarget | null;
  readonly choose: (target: MonitorTarget | null) => void;
}

/** What is chosen, or the field that finds it. */
export function TargetField({ target, choose }: TargetFieldProps) {
  if (target) {
    return (
      <Chosen change={words.targetChange} again={() => choose(null)}>
        <Chip kind={target.kind} />
        <b>{target.titleFull}</b>
      </Chosen>
    );
  }
  return (
    <FindResource
      operation={TargetsToMonitor}
      label={words.target}
      placeholder={words.targetFind}
      hint={words.targetHint}
      none={words.targetNone}
      choose={choose}
    />
  );
}
