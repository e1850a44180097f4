// In charge of calling the hooks of all plugins: those of one kind in one go.
//
// Yoga and Envelop make a dozen functions, and three that stand for promises, for each hook of each plugin, in case it
// has to be waited for. These are called one after the other, and one is waited for only where it says so.

import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isToCome, type Soon, soon } from '../limits/soon.ts';
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
    onRequest: onRequest(hooks('onRequest')),
    onRequestParse: onRequestParse(hooks('onRequestParse')),
    onParams: onParams(hooks('onParams')),
    onValidate: onValidate(hooks('onValidate')),
    onExecute: onExecute(hooks('onExecute')),
    onResultProcess: onResultProcess(hooks('onResultProcess')),
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

const always = () => true;

function onRequest(hooks: readonly Hook<'onRequest'>[]): Hook<'onRequest'> {
  return (given) => {
    let isOver = false;
    const now: typeof given = {
      ...given,
      setRequest(request) {
        now.request = request;
        given.setRequest(request);
      },
      setRequestHandler(handler) {
        now.requestHandler = handler;
        given.setRequestHandler(handler);
      },
      endResponse(response) {
        isOver = true;
        given.endResponse(response);
      },
    };
    return inTurn(hooks, now, () => !isOver);
  };
}

function onRequestParse(hooks: readonly Hook<'onRequestParse'>[]): Hook<'onRequestParse'> {
  return (given) => {
    const parsed: NonNullable<Answer<'onRequestParse'>['onRequestParseDone']>[] = [];
    let isOver = false;
    const now: typeof given = {
      ...given,
      setRequestParser(parser) {
        now.requestParser = parser;
        given.setRequestParser(parser);
      },
      endResponse(response) {
        isOver = true;
        given.endResponse(response);
      },
    };
    const called = inTurn(hooks, now, (said) => {
      if (said?.onRequestParseDone) parsed.push(said.onRequestParseDone);
      return !isOver;
    });
    return soon(called, () => ({ onRequestParseDone: onRequestParseDone(parsed) }));
  };
}

type ParseDone = NonNullable<Answer<'onRequestParse'>['onRequestParseDone']>;

function onRequestParseDone(hooks: readonly ParseDone[]): ParseDone {
  return (given) => {
    const now: typeof given = {
      ...given,
      setRequestParserResult(result) {
        now.requestParserResult = result;
        given.setRequestParserResult(result);
      },
    };
    return inTurn(hooks, now, always);
  };
}

function onParams(hooks: readonly Hook<'onParams'>[]): Hook<'onParams'> {
  return (given) => {
    const now: typeof given = {
      ...given,
      setParams(params) {
        now.params = params;
        given.setParams(params);
      },
      setParamsHandler(handler) {
        now.paramsHandler = handler;
        given.setParamsHandler(handler);
      },
    };
    return inTurn(hooks, now, always);
  };
}

/** A document that is valid is not looked at again: the rules of this server are the same for all requests. */
function onValidate(hooks: readonly Hook<'onValidate'>[]): Hook<'onValidate'> {
  const valid = new WeakMap<GraphQLSchema, WeakSet<DocumentNode>>();
  return (given) => {
    const { schema, documentAST } = given.params;
    const known = valid.get(schema) ?? new WeakSet();
    valid.set(schema, known);
    if (known.has(documentAST)) return given.setResult([]);
    const now: typeof given = {
      ...given,
      setValidationFn(validate) {
        now.validateFn = validate;
        given.setValidationFn(validate);
      },
    };
    const after = hooks.flatMap((hook) => hook(now) ?? []);
    return (done) => {
      const last: typeof done = {
        ...done,
        setResult(errors) {
          last.result = errors;
          done.setResult(errors);
        },
      };
      for (const hook of after) hook(last);
      if (last.result.length === 0) known.add(documentAST);
    };
  };
}

type ExecuteDone = NonNullable<Answer<'onExecute'>['onExecuteDone']>;

function onExecute(hooks: readonly Hook<'onExecute'>[]): Hook<'onExecute'> {
  return (given) => {
    const done: ExecuteDone[] = [];
    let isOver = false;
    const now: typeof given = {
      ...given,
      setExecuteFn(execute) {
        now.executeFn = execute;
        given.setExecuteFn(execute);
      },
      setResultAndStopExecution(result) {
        isOver = true;
        given.setResultAndStopExecution(result);
      },
    };
    const called = inTurn(hooks, now, (said) => {
      if (said?.onExecuteDone) done.push(said.onExecuteDone);
      return !isOver;
    });
    return soon(called, () => ({ onExecuteDone: onExecuteDone(done) }));
  };
}

function onExecuteDone(hooks: readonly ExecuteDone[]): ExecuteDone {
  return (given) => {
    const now: typeof given = {
      ...given,
      setResult(result) {
        now.result = result;
        given.setResult(result);
      },
    };
    return inTurn(hooks, now, (said) => {
      // They answer what is to be called for each part.
      if (said) throw new Error('Answers do not come in parts.');
      return true;
    });
  };
}

function onResultProcess(hooks: readonly Hook<'onResultProcess'>[]): Hook<'onResultProcess'> {
  return (given) => {
    const now: typeof given = {
      ...given,
      setResult(result) {
        now.result = result;
        given.setResult(result);
      },
      setResultProcessor(processor, mediaType) {
        now.resultProcessor = processor;
        given.setResultProcessor(processor, mediaType);
      },
    };
    return inTurn(hooks, now, always);
  };
}
