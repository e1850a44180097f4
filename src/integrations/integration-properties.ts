// The free settings of an integration, and those among them that the catalog heeds.

import { invalidField } from '../errors.ts';
import type { Integration, Prisma } from '../generated/prisma/client.ts';
import { isWebAddress } from '../text/text.ts';
import { readJson } from './readers/json.ts';

/** Characters of the settings as JSON. */
export const maxProperties = 100_000;

/** Settings as they are stored. Throws BAD_REQUEST for what is too long, too deep or no text. */
export function checkProperties(
  properties: Readonly<Record<string, unknown>> | null,
): Prisma.InputJsonObject {
  const text = JSON.stringify(properties ?? {});
  if (text.length > maxProperties) {
    throw invalidField('properties', `Use at most ${maxProperties} characters of JSON.`);
  }
  const read = readJson(text);
  if (!read.ok) throw invalidField('properties', `Not JSON: ${read.fault.message}.`);
  const { publish_imports: publishes, git_url: git } = properties ?? {};
  if (publishes !== undefined && typeof publishes !== 'boolean') {
    throw invalidField('properties.publish_imports', 'Use true or false.');
  }
  if (git != null && !isRepository(git)) {
    const message = `Use an http or https address of up to ${maxAddress} characters, such as https://git.example.com/shop/blob/main.`;
    throw invalidField('properties.git_url', message);
  }
  // What came through JSON.stringify and back is JSON: the compiler cannot know it.
  return read.value as Prisma.InputJsonObject;
}

const maxAddress = 2_000;
/** Where the path of a file goes that does not end its address. */
const pathHere = '{path}';

function isRepository(value: unknown): value is string {
  const isText = typeof value === 'string' && value.length <= maxAddress;
  return isText && isWebAddress(value.replace(pathHere, 'path'));
}

/** The address of a file of a project, by the address of its repository; null where that is not known. */
export function addressInRepository(git: unknown, path: string): string | null {
  if (!isRepository(git)) return null;
  const file = path
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/');
  return git.includes(pathHere)
    ? git.replace(pathHere, file)
    : `${git.replace(/\/+$/, '')}/${file}`;
}

/** Whether viewers may read what an integration brings as soon as it is there; yes unless unset. */
export function publishesImports({ properties }: Pick<Integration, 'properties'>): boolean {
  const isObject =
    properties !== null && typeof properties === 'object' && !Array.isArray(properties);
  return !(isObject && properties.publish_imports === false);
}
