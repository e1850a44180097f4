// In charge of calling the hooks of all plugins: those of one kind in one go.
//
// Yoga and Envelop make a dozen functions, and three that stand for promises, for each hook of each plugin, in case it
// has to be waited for. These are called one after the other, and one is waited for only where it says so.

import type { Plugin } from 'graphql-yoga';
import { isToCome, type Soon, soon } from '../async/maybe-promise.ts';
import type { Caller } from './caller.ts';

type Kind = Exclude<keyof Plugin<Caller>, symbol | 'instrumentation'>;
type Hook<K extends Kind> = NonNullable<Plugin<Caller>[K]>;
type Answer<K extends Kind> = Exclude<Awaited<ReturnType<Hook<K>>>, void>;
type Plugins = Parameters<Hook<'onPluginInit'>>[0]['plugins'];

/** A plugin for Yoga that takes the place of the hooks of all others, Yoga's own included, once they are known. */
export function useHooksInOneGo(): Plugin<Caller> {
  // It goes to the end, since others may still add some.
  return {
    onPluginInit: ({ plugins }) =>
      void plugins.push({ onPluginInit: (last) => putTogether(last.plugins) }),
  };
}

function putTogether(plugins: Plugins): void {
  const all = plugins.filter(isOfYoga);
  const hooks = <K extends Kind>(kind: K) => all.flatMap((plugin) => plugin[kind] ?? []);
  const together: Plugin<Caller> = {
    onRequest: oneFor(hooks('onRequest'), {
      sets: [
        ['setRequest', 'request'],
        ['setRequestHandler', 'requestHandler'],
      ],
      ends: 'endResponse',
    }),
    onRequestParse: onRequestParse(hooks('onRequestParse')),
    onParams: oneFor(hooks('onParams'), {
      sets: [
        ['setParams', 'params'],
        ['setParamsHandler', 'paramsHandler'],
      ],
    }),
    onValidate: onValidate(hooks('onValidate')),
    onExecute: onExecute(hooks('onExecute')),
    onResultProcess: oneFor(hooks('onResultProcess'), {
      sets: [
        ['setResult', 'result'],
        ['setResultProcessor', 'resultProcessor'],
      ],
    }),
  };
  const taken = new Set(Object.keys(together));
  const others = all.map((plugin) =>
    Object.fromEntries(Object.entries(plugin).filter(([kind]) => !taken.has(kind))),
  );
  plugins.splice(0, plugins.length, ...others, together);
}

/** What was registered with Yoga is one of its plugins, and Envelop's type of it knows half of its hooks. */
function isOfYoga(plugin: Plugins[number]): plugin is Plugin<Caller> {
  return plugin !== null;
}

/** What hooks of a kind have in common: how they are called, and what they answer. */
type HookOf<Given, Said> = (given: Given) => Soon<Said>;

/** Call hooks in their order, each when the one before it is done; `goesOn` hears what each says. */
function inTurn<Given, Said>(
  hooks: readonly HookOf<Given, Said>[],
  given: Given,
  goesOn: (said: Said) => boolean,
): Soon<void> {
  for (const [at, hook] of hooks.entries()) {
    const said = hook(given);
    if (isToCome(said)) {
      const rest = hooks.slice(at + 1);
      return said.then((late) => (goesOn(late) ? inTurn(rest, given, goesOn) : undefined));
    }
    if (!goesOn(said)) return undefined;
  }
  return undefined;
}

/** What hooks can do with what they are given: functions that set a part of it, and one that ends it all. */
interface Means<Given> {
  readonly sets: readonly (readonly [setter: keyof Given & string, part: keyof Given & string])[];
  readonly ends?: keyof Given & string;
}

/**
 * One hook for all of a kind. Each is given what those before it have set, and none is called once one has ended it;
 * `hear` is told what each says.
 */
function oneFor<Given extends object, Said>(
  hooks: readonly HookOf<Given, Said>[],
  { sets, ends }: Means<Given>,
): (given: Given, hear?: (said: Said) => void) => Soon<void> {
  return (given, hear = () => {}) => {
    const now = { ...given };
    let isOver = false;
    const follow = (name: string, note: (value: unknown) => void) => {
      const tell: unknown = Reflect.get(given, name);
      if (typeof tell !== 'function') return;
      Reflect.set(now, name, (...values: unknown[]) => {
        note(values[0]);
        Reflect.apply(tell, given, values);
      });
    };
    for (const [setter, part] of sets) follow(setter, (value) => Reflect.set(now, part, value));
    if (ends) {
      follow(ends, () => {
        isOver = true;
      });
    }
    return inTurn(hooks, now, (said) => {
      hear(said);
      return !isOver;
    });
  };
}

type ParseDone = NonNullable<Answer<'onRequestParse'>['onRequestParseDone']>;

function onRequestParse(hooks: readonly Hook<'onRequestParse'>[]): Hook<'onRequestParse'> {
  const begin = oneFor(hooks, {
    sets: [['setRequestParser', 'requestParser']],
    ends: 'endResponse',
  });
  return (given) => {
    const done: ParseDone[] = [];
    const begun = begin(given, (said) => {
      if (said?.onRequestParseDone) done.push(said.onRequestParseDone);
    });
    const onRequestParseDone = oneFor(done, {
      sets: [['setRequestParserResult', 'requestParserResult']],
    });
    return soon(begun, () => ({ onRequestParseDone }));
  };
}

type ExecuteDone = NonNullable<Answer<'onExecute'>['onExecuteDone']>;

function onExecute(hooks: readonly Hook<'onExecute'>[]): Hook<'onExecute'> {
  const begin = oneFor(hooks, {
    sets: [['setExecuteFn', 'executeFn']],
    ends: 'setResultAndStopExecution',
  });
  return (given) => {
    const done: ExecuteDone[] = [];
    const begun = begin(given, (said) => {
      if (said?.onExecuteDone) done.push(said.onExecuteDone);
    });
    const end = oneFor(done, { sets: [['setResult', 'result']] });
    const onExecuteDone: ExecuteDone = (result) =>
      end(result, (said) => {
        // They answer what is to be called for each part.
        if (said) throw new Error('Answers do not come in parts.');
      });
    return soon(begun, () => ({ onExecuteDone }));
  };
}

/** A document in which a hook finds nothing wrong is shown to no other one. */
function onValidate(hooks: readonly Hook<'onValidate'>[]): Hook<'onValidate'> {
  return (given) => {
    let isValid = false;
    const now: typeof given = {
      ...given,
      setValidationFn(validate) {
        now.validateFn = validate;
        given.setValidationFn(validate);
      },
      setResult(errors) {
        isValid = errors.length === 0;
        given.setResult(errors);
      },
    };
    const done: ValidateDone[] = [];
    for (const hook of hooks) {
      const after = hook(now);
      if (after) done.push(after);
      if (isValid) return undefined;
    }
    const end = oneFor(done, { sets: [['setResult', 'result']] });
    return (result) => void end(result);
  };
}

type ValidateDone = Exclude<ReturnType<Hook<'onValidate'>>, void>;
