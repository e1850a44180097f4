// Settings of the workspace: its time zone, and the country whose holidays new monitors know.

import { expect, test } from 'vitest';
import { countryOfZone } from '../../src/calendar/zone-country.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { openCatalog } from '../catalog.ts';

const settings = '{ workspaceSettings { timeZone holidayCountry suggestedHolidayCountry } }';
const update = `mutation ($input: UpdateWorkspaceSettingsInput!) {
  updateWorkspaceSettings(input: $input) { timeZone holidayCountry suggestedHolidayCountry }
}`;

test.each([
  ['Europe/Berlin', 'DE'],
  ['America/New_York', 'US'],
  ['Asia/Tokyo', 'JP'],
  ['UTC', null],
])('%s suggests %s', (zone, country) => {
  expect(countryOfZone(zone)).toBe(country);
});

test('the country is asked for once, guessed from the zone, and taken by new monitors', async () => {
  await using catalog = await openCatalog({ alone: true });
  const none = { timeZone: null, holidayCountry: null, suggestedHolidayCountry: null };
  expect((await catalog.graphql(settings)).data.workspaceSettings).toEqual(none);
  const zoned = await catalog.graphql(update, { input: { timeZone: 'Europe/Vienna' } });
  expect(zoned.data.updateWorkspaceSettings).toEqual({
    ...{ timeZone: 'Europe/Vienna', holidayCountry: null, suggestedHolidayCountry: 'AT' },
  });
  const chosen = await catalog.graphql(update, { input: { holidayCountry: 'AT' } });
  expect(chosen.data.updateWorkspaceSettings).toEqual({
    ...{ timeZone: 'Europe/Vienna', holidayCountry: 'AT', suggestedHolidayCountry: null },
  });

  const { id: targetId } = await catalog.resource();
  const usual = { targetId, metricType: 'row_count' };
  expect(await createMonitor(catalog.admin, usual)).toMatchObject({
    ...{ timeZone: 'Europe/Vienna', holidayCountry: 'AT' },
  });
  const own = { timeZone: 'Asia/Tokyo', holidayCountry: null };
  expect(await createMonitor(catalog.admin, { ...usual, ...own })).toMatchObject(own);
});

test('only editors change it, and what is no zone or country is refused by its field', async () => {
  await using catalog = await openCatalog();
  for (const [input, field] of [
    [{ timeZone: 'Mars/Base' }, 'timeZone'],
    [{ holidayCountry: 'XX' }, 'holidayCountry'],
  ] as const) {
    const { errors } = await catalog.graphql(update, { input });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', fields: [{ field }] });
  }
});
