// Subscribing to changes.

import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words.ts';
import { ResourcePage, SubscribeToIt } from './page.graphql';

interface SubscribeProps {
  readonly resource: {
    readonly id: string;
    readonly subscribers: readonly { readonly id: string }[];
  };
}

/** The button; it says what it would do. */
export function Subscribe({ resource: { id, subscribers } }: SubscribeProps) {
  const viewer = useViewer();
  const may = useMay('take_part');
  const isOn = subscribers.some((one) => one.id === viewer?.id);
  const change = useAct(() => ask(SubscribeToIt, { id, on: !isOn }), [ResourcePage]);
  if (!may) return null;
  return (
    <>
      <button type="button" disabled={change.isPending} onClick={() => change.mutate()}>
        {isOn ? words.resource.unsubscribe : words.resource.subscribe}
      </button>
      {change.error && <Problem error={change.error} />}
    </>
  );
}
