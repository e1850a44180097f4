// The page that connects a source: its type, its name, and the credentials that its type needs.

import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useMay, useViewer } from '../asking/viewer.ts';
import { NameField } from '../parts/name-field.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { SourceList } from '../sources/page.graphql';
import { sourceWords as words } from '../words/sources.ts';
import { ConnectSource, type CredentialField, type SourceType, SourceTypes } from './page.graphql';

/** The page. */
export function NewSourcePage() {
  const viewer = useViewer();
  const may = useMay('manage_integrations');
  return (
    <Page title={words.connect}>
      {!viewer && <Waiting lines={8} />}
      {viewer && !may && <p>{words.mayNot}</p>}
      {may && <Types />}
    </Page>
  );
}

function Types() {
  const { data, error, refetch } = useAnswer(SourceTypes, {});
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={8} />;
  return <Form types={data.integrationTypes} />;
}

function Form({ types }: { types: readonly SourceType[] }) {
  const [, navigate] = useLocation();
  const [type, setType] = useState(types[0]?.name ?? '');
  const [name, setName] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const chosen = types.find(({ name }) => name === type);
  const fields = (chosen?.fields ?? []).filter((field) =>
    isAsked(field, chosen?.fields ?? [], values),
  );
  const connect = useAct(async () => {
    const given = fields.flatMap((field) => {
      const value = (values[field.name] ?? '').trim();
      return value === '' ? [] : [[field.name, field.name === 'port' ? Number(value) : value]];
    });
    const credentials = fields.length > 0 ? Object.fromEntries(given) : null;
    const { createIntegration } = await ask(ConnectSource, { type, input: { name, credentials } });
    navigate(`/imports/${createIntegration.id}${fields.length > 0 ? '?new=1' : ''}`);
  }, [SourceList]);
  return (
    <form
      className="sheet form"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        connect.mutate();
      }}
    >
      <label className="choice">
        <span>{words.type}</span>
        <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
          <Choices label={words.live} types={types.filter(({ fedBy }) => fedBy === 'sync')} />
          <Choices label={words.upload} types={types.filter(isUploaded)} />
        </select>
      </label>
      {chosen?.page && (
        <p className="quiet">
          <a href={`/docs/sources/${chosen.page}`}>{words.page(chosen.label)}</a>
          {chosen.isBeta && ` ${words.beta}`}
        </p>
      )}
      <NameField label={words.name} value={name} set={setName} />
      {fields.length > 0 && (
        <fieldset className="plain-set">
          <legend>{words.credentials}</legend>
          <p className="quiet">{words.credentialsHint}</p>
          <div className="fields">
            {fields.map((field) => (
              <Credential
                key={field.name}
                field={field}
                value={values[field.name] ?? ''}
                set={(value) => setValues({ ...values, [field.name]: value })}
              />
            ))}
          </div>
        </fieldset>
      )}
      {connect.error && <Problem error={connect.error} />}
      <p>
        <button type="submit" className="main" disabled={connect.isPending}>
          {connect.isPending
            ? words.creating
            : fields.length > 0
              ? words.create
              : words.createOther}
        </button>
      </p>
    </form>
  );
}

/** Whether a field is asked for, with the values of the others; a choice that was not made is its first. */
function isAsked(
  { when }: CredentialField,
  all: readonly CredentialField[],
  values: Readonly<Record<string, string>>,
): boolean {
  return when.every(({ field, values: some }) => {
    const usual = all.find(({ name }) => name === field)?.choices[0]?.value ?? '';
    return some.includes(values[field] || usual);
  });
}

function isUploaded({ fedBy }: SourceType): boolean {
  return fedBy === 'files' || fedBy === 'artifacts';
}

function Choices({ label, types }: { label: string; types: readonly SourceType[] }) {
  return (
    <optgroup label={label}>
      {types.map((type) => (
        <option key={type.name} value={type.name}>
          {type.label}
        </option>
      ))}
    </optgroup>
  );
}

interface CredentialProps {
  readonly field: CredentialField;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Credential(props: CredentialProps) {
  const id = useId();
  return (
    <div className="choice">
      <label htmlFor={id}>
        {props.field.label}
        {!props.field.isRequired && props.field.choices.length === 0 && ` ${words.optional}`}
      </label>
      <Control id={id} {...props} />
      {props.field.help && <p className="quiet">{props.field.help}</p>}
    </div>
  );
}

function Control({ id, field, value, set }: CredentialProps & { readonly id: string }) {
  const { name, isRequired, isSecret, isMultiline, choices } = field;
  if (choices.length > 0) {
    return (
      <select id={id} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {choices.map((choice, at) => (
          <option key={choice.value} value={at === 0 ? '' : choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  if (isMultiline) {
    return (
      <textarea
        id={id}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        required={isRequired}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  }
  return (
    <input
      id={id}
      type={isSecret ? 'password' : name === 'port' ? 'number' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      required={isRequired}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
