// The fields of credentials, in the form of a new source and in that of one whose credentials change.

import { useEffect, useId, useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { Copy } from '../parts/copy.tsx';
import { connectionWords as words } from '../words/connection.ts';
import { words as common } from '../words.ts';
import { type CredentialField, HostObstacle } from './page.graphql';
import { Patterns } from './patterns.tsx';

/** What is typed into the fields, by their names. */
export type CredentialValues = Readonly<Record<string, string>>;

interface CredentialsProps {
  readonly fields: readonly CredentialField[];
  readonly values: CredentialValues;
  readonly set: (values: CredentialValues) => void;
  /** True where secrets are stored, and stay where they are left empty. */
  readonly isStored?: boolean;
}

/** The fields that the values of the others ask for. */
export function Credentials({ fields, values, set, isStored = false }: CredentialsProps) {
  return (
    <div className="fields">
      {askedOf(fields, values).map((field) => (
        <Credential
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(value) => set({ ...values, [field.name]: value })}
          isStored={isStored && field.isSecret}
        />
      ))}
    </div>
  );
}

/** The fields that are asked for with such values; a choice that was not made is its first. */
function askedOf(
  fields: readonly CredentialField[],
  values: CredentialValues,
): readonly CredentialField[] {
  const chosen = (name: string) =>
    values[name] || (fields.find((one) => one.name === name)?.choices[0]?.value ?? '');
  return fields.filter(({ when }) =>
    when.every(({ field, values: some }) => some.includes(chosen(field))),
  );
}

/** The credentials that are sent: what is empty is left out. */
export function credentialsOf(fields: readonly CredentialField[], values: CredentialValues) {
  return Object.fromEntries(
    askedOf(fields, values).flatMap(({ name }) => {
      const value = (values[name] ?? '').trim();
      return value === '' ? [] : [[name, name === 'port' ? Number(value) : value]];
    }),
  );
}

interface CredentialProps {
  readonly field: CredentialField;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly isStored: boolean;
}

function Credential(props: CredentialProps) {
  const id = useId();
  const { field, value, set, isStored } = props;
  const { name, label, help, isRequired, choices } = field;
  return (
    <div className="choice credential">
      <label htmlFor={id}>
        {label}
        {!isRequired && choices.length === 0 && ` ${words.optional}`}
      </label>
      {name === 'include' || name === 'exclude' ? (
        <Patterns id={id} label={label} value={value} set={set} />
      ) : (
        <Control id={id} {...props} />
      )}
      {help && <p className="quiet">{help}</p>}
      {isStored && value !== '' && (
        <p className="keep">
          <span className="quiet">{words.replaces}</span>{' '}
          <button type="button" onClick={() => set('')}>
            {words.keepOld(label)}
          </button>
        </p>
      )}
      {(name === 'host' || name === 'url') && <Obstacle host={hostIn(value)} />}
    </div>
  );
}

function Control({ id, field, value, set, isStored }: CredentialProps & { readonly id: string }) {
  const { name, isRequired, isSecret, isMultiline, choices } = field;
  if (choices.length > 0) {
    const [usual] = choices;
    return (
      <select
        id={id}
        value={value === usual?.value ? '' : value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      >
        {choices.map((choice, at) => (
          <option key={choice.value} value={at === 0 ? '' : choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    );
  }
  const placeholder = isStored ? words.stored : '';
  if (isMultiline) {
    return (
      <textarea
        id={id}
        rows={2}
        spellCheck={false}
        autoComplete="off"
        required={isRequired && !isStored}
        placeholder={placeholder}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  }
  return (
    <input
      id={id}
      type={isSecret ? 'password' : name === 'port' ? 'number' : 'text'}
      spellCheck={false}
      autoComplete={isSecret ? 'new-password' : 'off'}
      required={isRequired && !isStored}
      placeholder={placeholder}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
}

/** Long enough that only whole names are looked up. */
const pauseMs = 500;

/** Why the server will not connect to a host, and the line of its operator that lets it; nothing where it may. */
function Obstacle({ host }: { host: string }) {
  const [asked, setAsked] = useState(host);
  useEffect(() => {
    const timer = setTimeout(setAsked, pauseMs, host);
    return () => clearTimeout(timer);
  }, [host]);
  const { data } = useAnswer(HostObstacle, { host: asked }, { isWanted: asked !== '' });
  const obstacle = asked === host && asked !== '' ? data?.hostObstacle : null;
  if (!obstacle) return null;
  return (
    <div className="warned" role="status">
      <p>{obstacle.message}</p>
      {obstacle.setting && (
        <>
          <pre>{obstacle.setting}</pre>
          <Copy label={common.resource.copy} text={obstacle.setting} />
          <p className="quiet">{words.operator}</p>
        </>
      )}
    </div>
  );
}

/** The host of an address; a host alone is itself. */
function hostIn(text: string): string {
  const given = text.trim();
  if (!given.includes('://')) return given;
  return URL.canParse(given) ? new URL(given).hostname : '';
}
