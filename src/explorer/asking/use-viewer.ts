// In charge of who looks, and of what they may do: pages offer nothing else.

import { useAnswer } from './use-answer.ts';
import { ViewerOfKey, type ViewerOfKeyData } from './viewer.graphql';

type Action = ViewerOfKeyData['viewer']['allowedActions'][number];

/** Who looks; undefined until the server has said so. */
export function useViewer(): ViewerOfKeyData['viewer'] | undefined {
  return useAnswer(ViewerOfKey, {}).data?.viewer;
}

/** Whether the viewer may do something: no, until the server has said so. */
export function useMay(action: Action): boolean {
  return useViewer()?.allowedActions.includes(action) ?? false;
}
