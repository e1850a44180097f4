// The connection of a source: its credentials are changed in place, and tried before they are saved.

import { useEffect } from 'react';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useForm } from '../asking/form.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { Overtaken, Problem } from '../parts/problem.tsx';
import { connectionWords as words } from '../words/connection.ts';
import { Credentials, type CredentialValues, credentialsOf } from './credentials.tsx';
import {
  type CredentialField,
  SaveSource,
  SourceConnection,
  type SourceConnectionData,
  SourcePage,
  TestSource,
} from './page.graphql';
import { Report } from './report.tsx';

type Stored = NonNullable<SourceConnectionData['integration']>;

/** The form and the test; a source that was just connected is tested at once. */
export function Connection({ id }: { id: string }) {
  const { data, error, refetch } = useAnswer(SourceConnection, { id });
  if (error) return <Problem error={error} again={() => void refetch()} />;
  const stored = data?.integration;
  if (!stored) return null;
  const type = data.integrationTypes.find(({ name }) => name === stored.type);
  return <Form id={id} stored={stored} fields={type?.fields ?? []} />;
}

interface FormProps {
  readonly id: string;
  readonly stored: Stored;
  readonly fields: readonly CredentialField[];
}

function Form({ id, stored, fields }: FormProps) {
  const form = useForm<CredentialValues>(valuesOf(fields, stored.shownCredentials));
  const changed = changedIn(fields, form.value, stored.shownCredentials);
  const given = {
    credentials: changed.length > 0 ? credentialsOf(fields, form.value) : null,
    keepsSecrets: stored.hasCredentials,
  };
  const test = useAct((asked: typeof given) => ask(TestSource, { id, ...asked }), []);
  const save = useAct(
    () => ask(SaveSource, { id, version: stored.version, input: given }),
    [SourcePage, SourceConnection],
  );
  useNewTest(test.isIdle, () => test.mutate(given));
  const { data: tested, variables: asked } = test;
  // What was tried and changed since says nothing of what is there now.
  const isOfThese = JSON.stringify(asked) === JSON.stringify(given);
  return (
    <section className="sheet doing" aria-busy={test.isPending}>
      <h2>{words.title}</h2>
      <form
        className="doing"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed.length > 0) save.mutate(undefined, { onSuccess: form.drop });
        }}
      >
        <Credentials
          fields={fields}
          values={form.value}
          set={form.write}
          isStored={stored.hasCredentials}
        />
        {form.isOvertaken && <Overtaken take={form.drop}>{words.overtaken}</Overtaken>}
        {save.error && <Problem error={save.error} />}
        <p className="acts">
          {changed.length > 0 && (
            <button type="submit" className="main" disabled={save.isPending}>
              {save.isPending ? words.saving : words.save}
            </button>
          )}
          <button type="button" disabled={test.isPending} onClick={() => test.mutate(given)}>
            {test.isPending ? words.testing : words.test}
          </button>
          <Changes of={changed} isSaved={save.isSuccess} drop={form.drop} />
        </p>
      </form>
      {test.error && isOfThese && <Problem error={test.error} />}
      {tested?.testConnection && (isOfThese || save.isSuccess) && (
        <Report report={tested.testConnection} isUnsaved={isOfThese && changed.length > 0} />
      )}
    </section>
  );
}

interface ChangesProps {
  readonly of: readonly string[];
  readonly isSaved: boolean;
  readonly drop: () => void;
}

/** What is not saved yet, and how to give it up. */
function Changes({ of, isSaved, drop }: ChangesProps) {
  if (of.length === 0) {
    return (
      <span className="quiet" role="status">
        {isSaved && words.saved}
      </span>
    );
  }
  return (
    <>
      <button type="button" onClick={drop}>
        {words.discard}
      </button>
      <span className="quiet changes">{words.changes(of)}</span>
    </>
  );
}

/** Once, where the address says that the source is new. */
function useNewTest(isIdle: boolean, test: () => void): void {
  const view = useAddress();
  const isNew = view.one('new') !== '';
  const { change } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is done once, with what is there then
  useEffect(() => {
    if (!isNew || !isIdle) return;
    change({ new: null });
    test();
  }, [isNew, isIdle]);
}

/** What the fields begin with: all that is stored and no secret. */
function valuesOf(fields: readonly CredentialField[], stored: unknown): CredentialValues {
  const known = new Map(Object.entries(stored ?? {}));
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value: unknown = known.get(name);
      const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** The labels of the fields that were changed. */
function changedIn(
  fields: readonly CredentialField[],
  values: CredentialValues,
  stored: unknown,
): readonly string[] {
  const before = valuesOf(fields, stored);
  return fields
    .filter(({ name, choices }) => {
      const usual = choices[0]?.value ?? '';
      const of = (all: CredentialValues) => (all[name] ?? '').trim() || usual;
      return of(values) !== of(before);
    })
    .map(({ label }) => label);
}
