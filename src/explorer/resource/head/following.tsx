// Following a resource, and keeping it among one's bookmarks.

import { ask } from '../../asking/ask.ts';
import { useAct } from '../../asking/use-answer.ts';
import { useMay, useViewer } from '../../asking/viewer.ts';
import { RailCounts } from '../../frame/frame.graphql';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/problem.tsx';
import { resourceWords as words } from '../../words/resource.ts';
import { BookmarkIt, ResourcePage, SubscribeToIt } from '../page.graphql';

interface FollowProps {
  readonly resource: {
    readonly id: string;
    readonly subscribers: readonly { readonly id: string }[];
  };
}

/** The button that notifies the viewer of changes from now on, or no longer. */
export function Follow({ resource: { id, subscribers } }: FollowProps) {
  const viewer = useViewer();
  const may = useMay('take_part');
  const isOn = subscribers.some((one) => one.id === viewer?.id);
  const change = useAct(() => ask(SubscribeToIt, { id, on: !isOn }), [ResourcePage]);
  if (!may) return null;
  return (
    <>
      <button
        type="button"
        aria-pressed={isOn}
        aria-keyshortcuts="f"
        disabled={change.isPending}
        title={words.followMeans}
        onClick={() => change.mutate()}
      >
        <Icon kind="bell" />
        {isOn ? words.following : words.follow}
      </button>
      {change.error && <Problem error={change.error} />}
    </>
  );
}

/** The star: what is bookmarked stands in the rail. */
export function Bookmark({ id, isOn }: { id: string; isOn: boolean }) {
  const may = useMay('take_part');
  const change = useAct(() => ask(BookmarkIt, { id, on: !isOn }), [ResourcePage, RailCounts]);
  if (!may) return null;
  const name = isOn ? words.removeBookmark : words.addBookmark;
  return (
    <>
      <button
        type="button"
        className={isOn ? 'square on' : 'square'}
        aria-pressed={isOn}
        aria-label={name}
        aria-keyshortcuts="b"
        title={name}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        <Icon kind="star" />
      </button>
      {change.error && <Problem error={change.error} />}
    </>
  );
}
