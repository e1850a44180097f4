// Images of texts: read from this server with the sign-in of the visit, which the address of a picture can't carry.

import { ask } from '../asking/ask.ts';
import { ImageInText } from './images.graphql';

const address = /^\/api\/v1\/images\/([0-9a-f-]{36})$/i;

/** Images that are remembered: what was read never changes. */
const most = 40;
const known = new Map<string, Promise<string>>();

/** The id of the image of ours that an address names; null for any other address. */
export function imageIdOf(src: string | null): string | null {
  return address.exec(src ?? '')?.[1] ?? null;
}

/** What a page shows as the image: all of it, as an address of the type `data:`. Throws `Refused`. */
export function imageOf(id: string): Promise<string> {
  const before = known.get(id);
  if (before) return before;
  const reading = ask(ImageInText, { id }).then(
    ({ image }) => `data:${image?.mediaType};base64,${image?.content}`,
  );
  reading.catch(() => known.delete(id));
  const [oldest] = known.keys();
  if (known.size >= most && oldest !== undefined) known.delete(oldest);
  known.set(id, reading);
  return reading;
}
