// A question in a browser: whom it is for, what people think of it, and how it ends.

import { describe, expect, test, vi } from 'vitest';
import { createQuestion, createReply } from '../../../src/resources/questions/question.ts';
import { hasBrowser } from '../../browser.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { choose, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

describe.skipIf(!hasBrowser('A question in a browser'))('a question', () => {
  const site = openSite();
  const asked = async (title: string) => {
    const { catalog } = site;
    const question = await createQuestion(catalog.as('viewer'), { title });
    const reply = await createReply(catalog.as('editor'), {
      parentId: question.id,
      definition: 'Orders without their taxes.',
    });
    return { id: question.id, replyId: reply.id };
  };
  const read = async (id: string) => {
    const { data } = await site.catalog.graphql(
      `query ($id: ID!) { resource(id: $id) { ... on Question {
        status answer priority votesSum assignedTo { id } reactionCounts { emoji count isByViewer }
        replies { votesSum acceptedAnswer }
      } } }`,
      { id },
    );
    return data.resource;
  };

  test('is voted on and reacted to, and so are its replies', async () => {
    const { id } = await asked('What is net revenue?');
    const { catalog } = site;
    await catalog.graphql(
      'mutation ($id: ID!) { react(id: $id, emoji: "👍") { id } }',
      { id },
      { as: 'editor' },
    );
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    const [own, ofReply] = [0, 1].map((at) =>
      page.getByRole('group', { name: 'Votes and reactions' }).nth(at),
    );
    await own?.getByRole('button', { name: 'Vote for' }).click();
    await expect.poll(async () => (await read(id)).votesSum).toBe(1);
    await own?.getByRole('button', { name: 'Vote for', pressed: true }).click();
    await expect.poll(async () => (await read(id)).votesSum).toBe(0);
    await ofReply?.getByRole('button', { name: 'Vote against' }).click();
    await expect.poll(async () => (await read(id)).replies[0].votesSum).toBe(-1);
    await own?.getByRole('button', { name: '👍, 1 person' }).click();
    await own?.getByRole('button', { name: '👍, 2 people', pressed: true }).waitFor(waiting);
    await own?.getByLabel('Add reaction').click();
    await own?.getByRole('button', { name: 'React with 🎉' }).click();
    await own?.getByRole('button', { name: '🎉, 1 person' }).waitFor(waiting);
    expect((await read(id)).reactionCounts).toEqual([
      { emoji: '👍', count: 2, isByViewer: true },
      { emoji: '🎉', count: 1, isByViewer: true },
    ]);
    await expectWellMade(page, 'question');
    expect(problems).toEqual([]);
  });

  test('is given to somebody, made urgent, answered and reopened', async () => {
    const { id } = await asked('Who owns refunds?');
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page } = visited;
    const facts = page.getByRole('complementary');
    await choose(facts, 'Assigned to', 'Me');
    await expect.poll(async () => (await read(id)).assignedTo?.id).toBe(site.catalog.idOf('admin'));
    await facts.getByLabel('Priority').selectOption('High');
    await expect.poll(async () => (await read(id)).priority).toBe('High');
    await page.getByText('Priority changed').waitFor(waiting);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await read(id)).priority).toBeNull();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Finance does.');
    await page.getByRole('button', { name: 'Send as answer' }).click();
    await expect.poll(async () => (await read(id)).answer).toBe('Finance does.');
    // An answer that no reply holds is taken back by itself.
    await site.catalog.graphql(
      'mutation ($id: ID!) { updateQuestion(id: $id, input: { answer: "Ask finance." }) { id } }',
      { id },
    );
    await page.reload();
    await page.getByRole('button', { name: 'Reopen question' }).click();
    await expect.poll(async () => (await read(id)).status).toBe('Unanswered');
    await page.getByText('Question reopened').waitFor(waiting);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(async () => (await read(id)).answer).toBe('Ask finance.');
  });

  test('of others is voted on by viewers, and changed by editors', async () => {
    const { catalog } = site;
    const { id } = await createQuestion(catalog.as('editor'), { title: 'Is this final?' });
    await using visited = await site.open({
      path: `/resource/${id}`,
      key: catalog.keyOf('viewer'),
    });
    const { page } = visited;
    await page.getByRole('button', { name: 'Vote for' }).click();
    await expect.poll(async () => (await read(id)).votesSum).toBe(1);
    await page.getByText('No priority').waitFor(waiting);
    await page.getByRole('button', { name: 'Send reply' }).waitFor(waiting);
    expect(await page.getByRole('button', { name: 'Send as answer' }).count()).toBe(0);
    expect(await page.getByLabel('Priority').count()).toBe(0);
  });
});
