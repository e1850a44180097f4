// Groups, teams and tags alike: a name and a purpose, given, changed and deleted.

import { type ReactNode, useState } from 'react';
import { useForm } from '../asking/form.ts';
import { NameField } from '../parts/name-field.tsx';
import { Overtaken, Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { adminWords as words } from '../words/admin.ts';
import { words as common } from '../words.ts';

interface Named {
  readonly name: string;
  readonly description: string;
}

/** What can be done with it. */
export interface NamedActs {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Called with what it is to be, and what to do once it is. */
  rename(input: { name: string; description: string }, done: () => void): void;
  /** Null where it stays. */
  readonly remove: (() => void) | null;
}

interface NamedProps {
  readonly of: Named;
  readonly acts: NamedActs;
  /** What is said of it besides. */
  readonly says: string;
  /** What follows from deleting it. */
  readonly deleteMeans: string;
  /** Words next to its name. */
  readonly badges?: ReactNode;
  /** What else belongs to it. */
  readonly children?: ReactNode;
}

/** The row. */
export function NamedRow({ of, acts, says, deleteMeans, badges, children }: NamedProps) {
  const { name, description } = of;
  const { isPending, error, remove } = acts;
  return (
    <>
      <span className="of">
        <b>{name}</b> {badges}
        <small>
          {description && `${description} · `}
          {says}
        </small>
        {children}
        <details>
          <summary>
            {words.rename}
            <span className="spoken"> {name}</span>
          </summary>
          <Renaming of={of} acts={acts} />
        </details>
        {error && <Problem error={error} />}
      </span>
      {remove && (
        <Sure label={words.remove} of={name} means={deleteMeans} isBusy={isPending} act={remove} />
      )}
    </>
  );
}

function Renaming({ of, acts }: Pick<NamedProps, 'of' | 'acts'>) {
  const form = useForm({ name: of.name, description: of.description });
  const { name, description } = form.value;
  return (
    <form
      className="line-of-fields"
      onSubmit={(event) => {
        event.preventDefault();
        acts.rename(form.value, form.drop);
      }}
    >
      <NameField
        label={words.name}
        value={name}
        set={(next) => form.write({ name: next, description })}
      />
      <DescriptionField
        value={description}
        set={(next) => form.write({ name, description: next })}
      />
      {form.isOvertaken && (
        <Overtaken take={form.drop}>
          {of.name} {of.description && `· ${of.description}`}
        </Overtaken>
      )}
      <button type="submit" disabled={acts.isPending}>
        {form.isOvertaken ? common.edit.saveAnyway : words.save}
      </button>
    </form>
  );
}

interface DescriptionProps {
  readonly value: string;
  readonly set: (text: string) => void;
}

/** What it is for, in a few words. */
function DescriptionField({ value, set }: DescriptionProps) {
  return (
    <label className="choice">
      <span>{words.description}</span>
      <input
        value={value}
        maxLength={1_000}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

interface MakingProps {
  readonly title: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  /** Called with what was filled in, and what to do once it is made. */
  readonly make: (input: { name: string; description: string }, done: () => void) => void;
  readonly children?: ReactNode;
}

/** The form that makes one. */
export function NamedMaking({ title, error, isPending, make, children }: MakingProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const clear = () => {
    setName('');
    setDescription('');
  };
  return (
    <form
      className="sheet form below"
      onSubmit={(event) => {
        event.preventDefault();
        make({ name, description }, clear);
      }}
    >
      <h2>{title}</h2>
      <div className="line-of-fields">
        <NameField label={words.name} value={name} set={setName} />
        <DescriptionField value={description} set={setDescription} />
        {children}
      </div>
      {error && <Problem error={error} />}
      <p>
        <button type="submit" className="main" disabled={isPending}>
          {title}
        </button>
      </p>
    </form>
  );
}
