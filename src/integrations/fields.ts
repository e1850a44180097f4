// The plain fields of an integration: what they hold, apart from its credentials and teams.

import { type Noun, name, whole } from '../fields.ts';
import type { Integration, Prisma } from '../generated/prisma/client.ts';
import { checkProperties, maxProperties } from './integration-properties.ts';

/** The plain fields that people may set: absent leaves alone, null clears. */
export interface IntegrationFields {
  name?: string | null | undefined;
  properties?: Readonly<Record<string, unknown>> | null | undefined;
  scheduledExtractionsHour?: number | null | undefined;
  scheduledExtractionsFrequency?: number | null | undefined;
}

/** The longest interval between two extractions, in hours: a month. */
const maxInterval = 24 * 31;

export const integrationNoun: Noun<
  IntegrationFields,
  Pick<Integration, Exclude<keyof IntegrationFields, 'properties'>> & {
    properties: Prisma.InputJsonObject;
  }
> = {
  by: 'manage integrations',
  fields: {
    name: name('name', { missing: 'An integration needs a name.' }),
    properties: {
      rest: 'properties',
      form: { type: 'object' },
      holds: `a JSON object of up to ${maxProperties.toLocaleString('en')} characters`,
      check: checkProperties,
    },
    scheduledExtractionsHour: whole('scheduled_extractions_hour', 0, 23),
    scheduledExtractionsFrequency: whole('scheduled_extractions_frequency', 1, maxInterval),
  },
};
