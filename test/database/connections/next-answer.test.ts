// Answers that many wait for, of questions that are asked after they began to.

import { expect, test } from 'vitest';
import { NextAnswer } from '../../../src/database/connections/next-answer.ts';

const never = new AbortController().signal;

/** A question that is answered when the test says so. */
function openQuestion() {
  let [answer, fail] = [() => {}, (_: Error) => {}];
  const answered = new Promise<void>((resolve, reject) => {
    [answer, fail] = [resolve, reject];
  });
  return { question: () => answered, answer: () => answer(), fail: () => fail(new Error('gone')) };
}

test('one question is answered for all that waited when it was asked, and for no one who came later', async () => {
  const answers = new NextAnswer();
  const first = openQuestion();
  const early = [answers.wait(), answers.wait(), answers.wait()];
  const asking = answers.ask(first.question);
  const late = answers.wait();
  first.answer();
  await asking;
  expect(await Promise.all(early)).toEqual([true, true, true]);
  // No one asks again: it gives up.
  expect(await late).toBe(false);
});

test('who waits for a question that fails goes on without an answer', async () => {
  const answers = new NextAnswer();
  const broken = openQuestion();
  const waiting = answers.wait();
  const asking = answers.ask(broken.question);
  broken.fail();
  await expect(asking).rejects.toThrow('gone');
  expect(await waiting).toBe(false);
});

test('the next question is due as soon as somebody waits, and else after its time', async () => {
  const answers = new NextAnswer();
  const due = answers.due(60_000, never);
  const waiting = answers.wait();
  await due;
  await answers.ask(async () => {});
  expect(await waiting).toBe(true);
  const began = performance.now();
  await answers.due(50, never);
  expect(performance.now() - began).toBeGreaterThan(40);
  const closing = new AbortController();
  const closed = answers.due(60_000, closing.signal);
  closing.abort();
  await closed;
  await answers.due(60_000, closing.signal);
});
