// Choice of what a monitor measures.

import { ChooseResource } from '../parts/choosing/choose.tsx';
import { Chip } from '../parts/icon.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { type MonitorTarget, TargetsToMonitor } from './new.graphql';

interface TargetFieldProps {
  readonly target: MonitorTarget | null;
  readonly choose: (target: MonitorTarget | null) => void;
}

/** The field that finds it, and shows what is chosen. */
export function TargetField({ target, choose }: TargetFieldProps) {
  return (
    <ChooseResource
      operation={TargetsToMonitor}
      label={words.target}
      placeholder={words.targetFind}
      hint={words.targetHint}
      value={target && { ...target, name: target.titleFull, mark: <Chip kind={target.kind} /> }}
      choose={choose}
    />
  );
}
