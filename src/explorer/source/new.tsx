// In charge of connecting a source: its type, its name, and the credentials that its type needs.

import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-act.ts';
import { useMay, useViewer } from '../asking/use-viewer.ts';
import { NameField } from '../parts/name-field.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { SourceList } from '../sources/page.graphql';
import { encryptionName, fieldName, typeName, sourceWords as words } from '../words/sources.ts';
import { type Field, fieldsOf, liveTypes, uploadTypes } from './kinds.ts';
import { ConnectSource } from './page.graphql';

/** The page. */
export function NewSourcePage() {
  const viewer = useViewer();
  const may = useMay('manage_integrations');
  return (
    <Page title={words.connect}>
      {!viewer && <Waiting lines={8} />}
      {viewer && !may && <p>{words.mayNot}</p>}
      {may && <Form />}
    </Page>
  );
}

function Form() {
  const [, navigate] = useLocation();
  const [type, setType] = useState('postgres');
  const [name, setName] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fields = fieldsOf(type);
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
          <Types label={words.live} types={liveTypes} />
          <Types label={words.upload} types={uploadTypes} />
        </select>
      </label>
      <NameField label={words.name} value={name} set={setName} />
      {fields.length > 0 && (
        <fieldset className="plain-set">
          <legend>{words.credentials}</legend>
          <p className="quiet">{words.credentialsHint}</p>
          <div className="fields">
            {fields.map((field) => (
              <CredentialField
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

function Types({ label, types }: { label: string; types: readonly string[] }) {
  return (
    <optgroup label={label}>
      {types.map((type) => (
        <option key={type} value={type}>
          {typeName(type)}
        </option>
      ))}
    </optgroup>
  );
}

interface CredentialProps {
  readonly field: Field;
  readonly value: string;
  readonly set: (value: string) => void;
}

function CredentialField(props: CredentialProps) {
  const id = useId();
  return (
    <div className="choice">
      <label htmlFor={id}>
        {fieldName(props.field.name)}
        {!props.field.isNeeded && !props.field.choices && ` ${words.optional}`}
      </label>
      <Control id={id} {...props} />
    </div>
  );
}

function Control({ id, field, value, set }: CredentialProps & { readonly id: string }) {
  const { name, isNeeded, isSecret, choices } = field;
  if (choices) {
    return (
      <select id={id} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {choices.map((choice, at) => (
          <option key={choice} value={at === 0 ? '' : choice}>
            {encryptionName(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (name === 'ca') {
    return (
      <textarea
        id={id}
        rows={2}
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
      required={isNeeded}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}
