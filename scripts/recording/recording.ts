// A recording of a source: its answers, in order, by the shapes of the requests that they answer.

import { z } from 'zod';

/** One answer. */
export interface RecordedAnswer {
  readonly shape: string;
  readonly status: number;
  readonly body: string;
}

const recording = z.object({
  type: z.string(),
  answers: z.array(z.object({ shape: z.string(), status: z.number(), body: z.string() })),
});

/** What `npm run source:record` writes. */
export type Recording = z.infer<typeof recording>;

/** Read a file of it. Throws for any other. */
export function readRecording(text: string): Recording {
  return recording.parse(JSON.parse(text));
}
