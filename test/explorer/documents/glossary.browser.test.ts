// The glossary in a browser: terms are defined, nested, moved, deleted, and show where they are used.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The glossary in a browser'))('the glossary', () => {
  const site = openSite();
  const term = (title: string, fields: object = {}) =>
    site.catalog.resource({ kind: 'glossary', title, ...fields });

  test('a term is defined in another one, moved out of it, and deleted', async () => {
    const above = await term('Order');
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('editor'), path: `/glossary/${above.id}` },
    });
    const { page, problems } = visited;
    await page.getByRole('link', { name: 'New term' }).first().click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Net revenue');
    await page.getByRole('textbox', { name: 'Documentation' }).fill('What was paid, less refunds.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Net revenue', level: 1 }).waitFor(waiting);
    const id = page.url().split('/').at(-1) ?? '';
    const read = async () => {
      const { data } = await site.catalog.graphql(
        'query ($id: ID!) { resource(id: $id) { kind parentId archived } }',
        { id },
      );
      return data.resource;
    };
    expect(await read()).toEqual({ kind: 'glossary', parentId: above.id, archived: false });
    const child = page.getByRole('treeitem', { name: 'Net revenue' });
    await child.dragTo(page.getByText('Drop here for the top level'));
    await page.getByText('Moved Net revenue to the top level').waitFor(waiting);
    expect((await read()).parentId).toBe(null);
    await page.locator('summary', { hasText: 'More actions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Net revenue').waitFor(waiting);
    expect((await read()).archived).toBe(true);
    expect(problems).toEqual([]);
  });

  test('a term shows where it is used', async () => {
    const { id } = await term('Active customer', {
      ...{ definition: 'Somebody who **ordered** within a year.', description: 'Who counts.' },
      ...{ synonyms: ['buyer', 'customer who is active'], termStatus: 'in_review' },
    });
    await term('Customer', { relatedTermIds: [id] });
    const table = await site.catalog.resource({ title: 'dim_customers' });
    const property = await site.catalog.property({
      ...{ name: 'Term', valueType: 'resource' },
    });
    await site.catalog.graphql(
      'mutation ($p: ID!, $r: ID!, $v: String!) { setCustomProperty(id: $p, resourceId: $r, value: $v) { id } }',
      { p: property.id, r: table.id, v: id },
    );
    await using visited = await site.open({ path: `/glossary/${id}?tab=uses` });
    const { page } = visited;
    const used = page.getByRole('link', { name: /dim_customers/ });
    await used.waitFor(waiting);
    expect(await used.getAttribute('href')).toBe(`/resource/${table.id}`);
    await expectWellMade(page, 'glossary');
    await page.getByRole('link', { name: 'Definition' }).click();
    await page.getByText('ordered').waitFor(waiting);
    await page.getByText('In review').last().waitFor(waiting);
    await expectWellMade(page, 'term');
  });

  test('a term is sent to review and approved, and its synonyms and relations are changed and undone', async () => {
    const { id } = await term('Net sum');
    await term('Sent back');
    const facts = async () => {
      const { data } = await site.catalog.graphql(
        `query ($id: ID!) { resource(id: $id) { ... on GlossaryTerm { termStatus synonyms
          relatedTerms { title } } } }`,
        { id },
      );
      return data.resource;
    };
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('editor'), path: `/glossary/${id}` },
    });
    const { page, problems } = visited;
    const side = page.getByRole('complementary', { name: 'Summary' });
    await page.getByRole('button', { name: 'Send to review' }).click();
    await side.getByText('In review').waitFor(waiting);
    await page.getByRole('button', { name: 'Approve' }).click();
    await side.getByText('Approved', { exact: true }).waitFor(waiting);
    expect((await facts()).termStatus).toBe('approved');
    await side.getByText(/^Approved by editor Example/).waitFor(waiting);
    await page.getByRole('button', { name: 'Add formula' }).click();
    await page.getByRole('textbox', { name: 'Formula' }).fill('sum(paid) - sum(refunded)');
    await page.getByRole('button', { name: 'Save formula' }).click();
    await page.locator('.formula code').getByText('sum(paid) - sum(refunded)').waitFor(waiting);
    await side.getByLabel('Next review').fill('2026-01-02');
    await side.getByLabel('Next review').blur();
    await page.getByText('Next review on Jan 2, 2026').waitFor(waiting);
    await side.getByText('review due').waitFor(waiting);
    await side.getByRole('button', { name: 'Back to draft' }).click();
    await side.getByText('Draft', { exact: true }).waitFor(waiting);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await side.getByText('Approved', { exact: true }).waitFor(waiting);
    await side.getByRole('combobox', { name: 'Add synonym' }).fill('Takings');
    await page.keyboard.press('Enter');
    await side.getByRole('button', { name: /Takings/ }).waitFor(waiting);
    await side.getByRole('combobox', { name: 'Add related term' }).fill('Sent back');
    await page.getByRole('option', { name: /Sent back/ }).click();
    await side.getByRole('link', { name: 'Sent back' }).waitFor(waiting);
    expect(await facts()).toEqual({
      ...{ termStatus: 'approved', synonyms: ['Takings'] },
      relatedTerms: [{ title: 'Sent back' }],
    });
    await side.getByRole('button', { name: /Takings/ }).click();
    await expect.poll(async () => (await facts()).synonyms, waiting).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await facts()).synonyms, waiting).toEqual(['Takings']);
    // The list is narrowed to a status, and by a synonym.
    await page.getByLabel('Status').selectOption('Approved');
    await page.locator('.tree .named').getByText('Net sum').waitFor(waiting);
    expect(await page.locator('.tree .named').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Filter terms' }).fill('takings');
    await page.locator('.tree .named').getByText('Net sum').waitFor(waiting);
    await side.getByRole('link', { name: 'Sent back' }).click();
    await page.getByRole('heading', { name: 'Sent back', level: 1 }).waitFor(waiting);
    await side.getByRole('link', { name: 'Net sum' }).click();
    await page.getByRole('heading', { name: 'Net sum', level: 1 }).waitFor(waiting);
    await expectWellMade(page, 'approved term');
    expect(problems).toEqual([]);
  });

  test('who may only read a term sees its status and synonyms, and no button', async () => {
    const { id } = await term('Read only', {
      ...{ published: true, synonyms: ['Looked at'], termStatus: 'approved' },
    });
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('viewer'), path: `/glossary/${id}` },
    });
    const { page } = visited;
    const side = page.getByRole('complementary', { name: 'Summary' });
    await side.getByText('Looked at').waitFor(waiting);
    await side.getByText('Approved', { exact: true }).waitFor(waiting);
    expect(await side.getByRole('button').count()).toBe(0);
    expect(await side.getByRole('combobox').count()).toBe(0);
  });
});
