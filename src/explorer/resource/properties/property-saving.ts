// Sets a custom property without overwriting a concurrent change.

import { ask } from '../../asking/ask.ts';
import { Refused } from '../../asking/operation.ts';
import { PropertiesNow, SetProperty } from './properties.graphql';

/** A resource that changes each time that it is looked at is left to a person. */
const mostTries = 5;

interface PropertySaving {
  readonly resource: { readonly id: string; readonly version: number };
  readonly propertyId: string;
  /** What the page shows of it: a text that is empty where it is not set. */
  readonly from: string;
  readonly value: string;
}

/**
 * Set a value; an empty text clears it. Where only something else of the resource has changed since, it is set all
 * the same; where the property has, it is `Refused` with CONFLICT.
 */
export async function saveProperty(saving: PropertySaving): Promise<void> {
  const { resource, propertyId, from, value } = saving;
  let { version } = resource;
  for (let tries = 1; ; tries += 1) {
    try {
      await ask(SetProperty, { id: propertyId, resourceId: resource.id, value, version });
      return;
    } catch (error) {
      const isOvertaken = error instanceof Refused && error.code === 'CONFLICT';
      if (!isOvertaken || tries === mostTries) throw error;
      const { resource: now } = await ask(PropertiesNow, { id: resource.id });
      const one = now?.customProperties.find(({ property }) => property.id === propertyId);
      if (!now || (one?.value ?? '') !== from) throw error;
      version = now.version;
    }
  }
}
