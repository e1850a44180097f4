// Hooks that are called in one go are called as Yoga calls them: in order, each when the one before is done.

import {
  createSchema,
  createYoga,
  type YogaInitialContext,
  type Plugin as YogaPlugin,
} from 'graphql-yoga';
import { expect, test } from 'vitest';
import type { Caller } from '../../../src/graphql/caller.ts';
import { useKnownDocuments } from '../../../src/graphql/execution/known-documents.ts';
import { useHooksInOneGo } from '../../../src/graphql/plugin-hooks.ts';

type Plugin = YogaPlugin<Caller>;

const schema = createSchema<YogaInitialContext & Caller>({
  typeDefs: 'type Query { said(words: String = "none"): String }',
  resolvers: { Query: { said: (_, { words }) => words } },
});

/** A plugin that notes its hooks, each of which takes some time or none. */
function noting(name: string, calls: string[], takesTime: boolean): Plugin {
  const note = (hook: string): Promise<void> | undefined => {
    if (!takesTime) return void calls.push(`${name} ${hook}`);
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      calls.push(`${name} ${hook}`);
    });
  };
  const then = <T>(waiting: Promise<void> | undefined, value: T) =>
    waiting ? waiting.then(() => value) : value;
  return {
    onRequest: () => note('onRequest'),
    onRequestParse: () =>
      then(note('onRequestParse'), { onRequestParseDone: () => note('onRequestParseDone') }),
    onParams: ({ params, setParams }) => {
      setParams({ ...params, variables: { words: `${params.variables?.words ?? ''}${name}` } });
      return note(`onParams after ${params.variables?.words ?? 'nobody'}`);
    },
    onValidate: () => {
      calls.push(`${name} onValidate`);
    },
    onExecute: ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
      if (args.variableValues?.words === `stop${name}`) {
        setResultAndStopExecution({ data: { said: `stopped by ${name}` } });
      }
      setExecuteFn((given) => {
        calls.push(`${name} executes`);
        return executeFn(given);
      });
      return then(note('onExecute'), {
        onExecuteDone: ({ result, setResult }) => {
          if ('data' in result) setResult({ ...result, extensions: { last: name } });
          return note('onExecuteDone');
        },
      });
    },
    onResultProcess: () => note('onResultProcess'),
  };
}

/** What is answered, and which hooks were called, with the plugins of Yoga as they are or in one go. */
async function asked(takeTime: readonly boolean[], inOneGo: boolean, more: Plugin[] = []) {
  const calls: string[] = [];
  const own = takeTime.map((takesTime, at) => noting('abc'[at] ?? '', calls, takesTime));
  const plugins = [...(inOneGo ? [useHooksInOneGo()] : []), ...own, ...more];
  const yoga = createYoga<object, Caller>({ schema, plugins, logging: false });
  const answers: unknown[] = [];
  for (const query of [
    'query ($words: String) { said(words: $words) }',
    '{ said',
    '{ unknown }',
    'mutation { said }',
  ]) {
    const init = { method: 'POST', body: JSON.stringify({ query }) };
    const headers = { 'content-type': 'application/json' };
    const response = await yoga.fetch('http://a/graphql', { ...init, headers });
    answers.push(response.status, await response.json());
  }
  const other = await yoga.fetch('http://a/graphql', { method: 'PUT' });
  answers.push(other.status, await other.text());
  return { answers, calls };
}

test('the same hooks are called in the same order, whichever have to be waited for', async () => {
  for (const takeTime of [
    [false, false, false],
    [true, false, true],
    [false, true, false],
    [true, true, true],
  ]) {
    const usual = await asked(takeTime, false);
    expect(usual.calls.length).toBeGreaterThan(40);
    expect(await asked(takeTime, true)).toEqual(usual);
  }
});

test('a hook that ends something is the last one of its kind', async () => {
  const ending: Plugin[] = [
    { onRequestParse: ({ endResponse }) => endResponse(new Response('{}', { status: 418 })) },
    { onRequest: ({ endResponse }) => endResponse(new Response('{}', { status: 418 })) },
    { onParams: ({ setResult }) => setResult({ data: { said: 'by a hook' } }) },
    { onExecute: (given) => given.setResultAndStopExecution({ data: { said: 'stopped' } }) },
    { onResultProcess: ({ setResult }) => setResult({ data: { said: 'replaced' } }) },
  ];
  for (const one of ending) {
    const calls: string[] = [];
    const after = noting('z', calls, false);
    const more = [one, after];
    const usual = await asked([false, true], false, more);
    const before = calls.splice(0);
    expect(await asked([false, true], true, more)).toEqual(usual);
    expect(calls).toEqual(before);
  }
});

test('what a hook throws is answered as it is without this', async () => {
  const fail = () => {
    throw new Error('No.');
  };
  const failing: Plugin[] = [
    { onRequestParse: fail },
    { onParams: fail },
    { onExecute: fail },
    { onParams: async () => fail() },
    { onExecute: () => ({ onExecuteDone: fail }) },
    { onResultProcess: ({ setResultProcessor }) => setResultProcessor(fail, 'application/json') },
  ];
  for (const one of failing) {
    const outcome = (inOneGo: boolean) =>
      asked([false, true], inOneGo, [one]).catch((error: unknown) => String(error));
    expect(await outcome(true)).toEqual(await outcome(false));
  }
});

test('a valid document is validated once, a wrong one whenever it comes', async () => {
  const calls: string[] = [];
  const plugins: Plugin[] = [useHooksInOneGo(), useKnownDocuments(), noting('a', calls, false)];
  const yoga = createYoga<object, Caller>({ schema, plugins, logging: false });
  const validated = async (query: string) => {
    calls.length = 0;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query });
    await yoga.fetch('http://a/graphql', { method: 'POST', headers, body });
    return calls.includes('a onValidate');
  };
  expect([await validated('{ said }'), await validated('{ said }')]).toEqual([true, false]);
  expect([await validated('{ no }'), await validated('{ no }')]).toEqual([true, true]);
});
