// A server that answers as a recording has it: each request by the next answer of its shape.

import type { Recording } from '../../../scripts/recording/recording.ts';
import { shapeOf } from '../../../scripts/recording/shape.ts';
import { vocabularyOf } from '../../../scripts/recording/vocabulary.ts';
import { type HttpFake, startFake } from '../../integrations/connectors/http-fake.ts';

export interface Replay extends HttpFake {
  /** Shapes of requests that the recording has no answer for. */
  readonly unknown: readonly string[];
}

/** Start one. The last answer of a shape is given to each further request. */
export async function startReplay({ type, answers }: Recording): Promise<Replay> {
  const vocabulary = vocabularyOf(type);
  const byShape = new Map<string, Recording['answers']>();
  for (const one of answers) byShape.set(one.shape, [...(byShape.get(one.shape) ?? []), one]);
  const given = new Map<string, number>();
  const unknown: string[] = [];
  const fake = await startFake(({ method, url, body }) => {
    const request = { method, path: url.pathname + url.search, body };
    const shape = shapeOf(request, vocabulary);
    const all = byShape.get(shape) ?? [];
    const at = given.get(shape) ?? 0;
    given.set(shape, at + 1);
    const answer = all[Math.min(at, all.length - 1)];
    if (!answer) unknown.push(shape);
    return answer ?? { status: 404, body: '{}' };
  });
  return { ...fake, unknown };
}
