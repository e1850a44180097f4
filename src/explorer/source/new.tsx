// The page that connects a source: its type, its name, and the credentials that its type needs.

import { useState } from 'react';
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
import { Credentials, type CredentialValues, credentialsOf } from './credentials.tsx';
import { ConnectSource, type SourceType, SourceTypes } from './page.graphql';

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
  const [values, setValues] = useState<CredentialValues>({});
  const chosen = types.find(({ name }) => name === type);
  const fields = chosen?.fields ?? [];
  const connect = useAct(async () => {
    const credentials = fields.length > 0 ? credentialsOf(fields, values) : null;
    const { createIntegration } = await ask(ConnectSource, { type, input: { name, credentials } });
    navigate(`/imports/${createIntegration.id}${fields.length > 0 ? '?tab=settings&new=1' : ''}`);
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
          <Credentials fields={fields} values={values} set={setValues} />
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
