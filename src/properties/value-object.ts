// Values of custom properties as clients send them: an object by the ids of properties.

import { invalidField } from '../errors.ts';
import { isUuid } from '../text/uuid.ts';

/** The values of such an object. Throws BAD_REQUEST that names the field for anything else. */
export function readValues(given: unknown, name = 'properties'): Map<string, string> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidField(name, 'Use an object of values by the ids of properties.');
  }
  const values = new Map<string, string>();
  for (const [id, value] of Object.entries(given)) {
    const field = isUuid(id) ? `${name}.${id}` : name;
    if (typeof value !== 'string') throw invalidField(field, 'Values are sent as strings.');
    values.set(id, value);
  }
  return values;
}
