// Which values each type of custom property takes, and in which form they are stored.

import { expect, test } from 'vitest';
import { parseValue, valueTypes } from '../../src/properties/value.ts';

const id = '6c0e7f80-1111-4222-8333-944445555666';
const rule = (valueType: string) => ({
  id,
  name: 'Sensitivity',
  valueType,
  options: ['low', 'very high'],
});

test.each([
  ['string', ' x '.repeat(10), ' x '.repeat(10).trim()],
  ['string', 'x'.repeat(255), 'x'.repeat(255)],
  ['text', 'two\nlines', 'two\nlines'],
  ['number', ' -12.50 ', '-12.50'],
  ['number', '12345678901234567890', '12345678901234567890'],
  ['number', '.5e-3', '.5e-3'],
  ['boolean', 'True', 'true'],
  ['boolean', 'false', 'false'],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '2024-03-01T00:30:00+02:00', '2024-02-29'],
  ['select', 'very high', 'very high'],
  ['multiselect', 'very high, low', 'low,very high'],
  ['multiselect', '["very high"]', 'very high'],
  ['user', id.toUpperCase(), id],
  ['resource', id, id],
  ['url', 'https://example.com/a?b=c', 'https://example.com/a?b=c'],
])('a %s takes %j', (type, text, stored) => {
  expect(parseValue(rule(type), text)).toBe(stored);
  expect(parseValue(rule(type), stored)).toBe(stored);
});

test.each([
  ['string', 'x'.repeat(256)],
  ['text', 'x'.repeat(100_001)],
  ['number', 'twelve'],
  ['number', '1,5'],
  ['number', '0x10'],
  ['number', 'NaN'],
  ['number', '1e999'],
  ['boolean', '1'],
  ['boolean', 'yes'],
  ['date', '2023-02-30'],
  ['date', '2023-02-30T10:00:00Z'],
  ['date', '2023-13-01'],
  ['date', '01.02.2023'],
  ['date', 'today'],
  ['select', 'LOW'],
  ['select', 'low,very high'],
  ['multiselect', 'low,medium'],
  ['multiselect', '[]'],
  ['multiselect', '["low"'],
  ['multiselect', '[1]'],
  ['user', 'ann@example.com'],
  ['resource', 'x'],
  ['url', 'example.com'],
  ['url', 'javascript:alert(1)'],
  ['url', `https://example.com/${'x'.repeat(2_000)}`],
])('a %s does not take %j', (type, text) => {
  expect(() => parseValue(rule(type), text)).toThrow(`The property "Sensitivity" is a ${type}: `);
});

test.each(valueTypes)('a %s does not take what cannot be stored', (type) => {
  for (const text of ['a\0b', '\ud800']) expect(() => parseValue(rule(type), text)).toThrow();
});

test('an error names the field, and no more of the value than a person reads', () => {
  try {
    parseValue(rule('number'), 'x'.repeat(1_000_000));
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_REQUEST', fields: [{ field: `properties.${id}` }] });
    expect(String(error).length).toBeLessThan(300);
  }
});
