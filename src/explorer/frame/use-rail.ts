// What the frame counts: open incidents, questions and news for the viewer, and what they bookmarked.

import { useAnswer } from '../asking/use-answer.ts';
import { useViewer } from '../asking/viewer.ts';
import { mineOf } from '../home/wanted.ts';
import { RailCounts, type RailCountsData } from './frame.graphql';

const askedAgainMs = 60_000;
const unknown = { id: '', groups: [] };

/** Undefined until the server has said so; `isKeeper` asks for it again each minute, for all who show it. */
export function useRail(isKeeper = false): RailCountsData | undefined {
  const viewer = useViewer();
  const { questions } = mineOf(viewer ?? unknown);
  const isWanted = viewer !== undefined;
  return useAnswer(
    RailCounts,
    { questions },
    { isWanted, isKept: true, again: () => isKeeper && askedAgainMs },
  ).data;
}
