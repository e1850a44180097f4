// Placeholder while loading: the room the answer will take, so that nothing jumps.

import { words } from '../words.ts';

/** Grey lines where text will be. Those who listen hear that it is being loaded. */
export function Waiting({ lines }: { lines: number }) {
  return (
    <div className="waiting" role="status">
      <span className="spoken">{words.loading}</span>
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line) => (
        <i key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
