// Preloaded into the processes of a negative control: what WITHOUT names is taken out of the sources.

import { register } from 'node:module';

const controls = new URL('./controls.mjs', import.meta.url).href;
const hooks = `
import { without } from ${JSON.stringify(controls)};
const control = ${JSON.stringify(process.env.WITHOUT)};
export async function load(url, context, nextLoad) {
  const result = await nextLoad(url, context);
  if (!url.startsWith('file:') || result.source == null) return result;
  const before = String(result.source);
  const source = without(control, url, before);
  return source === before ? result : { ...result, source };
}`;

if (process.env.WITHOUT) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
