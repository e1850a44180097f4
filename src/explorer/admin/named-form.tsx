// Form of what has a name and a purpose: groups, teams and tags.

import type { ReactNode } from 'react';
import { type Form, useForm } from '../asking/form.ts';
import { say, useUndoable } from '../asking/undo.ts';
import { useAct } from '../asking/use-answer.ts';
import { FormActs } from '../parts/form-acts.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Overtaken } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { adminWords as words } from '../words/admin.ts';
import { words as common } from '../words.ts';

/** What groups, teams and tags have in common. */
export interface Named {
  readonly name: string;
  readonly description: string;
}

/** What can be done with one: each answers its inverse, where it has one. */
export interface NamedActs<Value> {
  /** What asks for it, and is asked again. */
  readonly renewed: readonly { readonly name: string }[];
  save(value: Value): Promise<Inverse | null>;
  /** Null where it stays, or is not there yet. */
  readonly remove: (() => Promise<unknown>) | null;
}

/** Takes a write back. */
export type Inverse = () => Promise<unknown>;

interface NamedFormProps<Value extends Named> {
  /** What it is now; what is filled in at first for a new one. */
  readonly now: Value;
  /** What the button is called that makes it; null where it is there already. */
  readonly makes: string | null;
  readonly acts: NamedActs<Value>;
  readonly close: () => void;
  /** What follows from deleting it. */
  readonly removeMeans: string;
  /** Other fields of it. */
  readonly fields?: (form: Form<Value>) => ReactNode;
  /** What else belongs to it, and is saved by itself. */
  readonly children?: ReactNode;
}

/** The form. */
export function NamedForm<Value extends Named>(props: NamedFormProps<Value>) {
  const { now, makes, acts, close, removeMeans, fields, children } = props;
  const form = useForm(now);
  const { value, write } = form;
  const act = useUndoable(acts.renewed);
  const remove = useAct(async () => {
    await acts.remove?.();
    close();
    say(common.toast.deleted(now.name));
  }, acts.renewed);
  const says = makes ? common.toast.created(value.name) : common.toast.saved(value.name);
  const error = act.error ?? remove.error;
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate({ says, act: () => acts.save(value) }, { onSuccess: close });
        }}
      >
        <NameField
          label={words.name}
          value={value.name}
          set={(name) => write({ ...value, name })}
        />
        <label className="choice">
          <span>{words.description}</span>
          <input
            value={value.description}
            maxLength={1_000}
            onChange={({ currentTarget }) => write({ ...value, description: currentTarget.value })}
          />
        </label>
        {fields?.(form)}
        {form.isOvertaken && (
          <Overtaken take={form.drop}>
            {now.name} {now.description && `· ${now.description}`}
          </Overtaken>
        )}
        <FormActs
          says={makes ?? (form.isOvertaken ? common.edit.saveAnyway : words.save)}
          isOff={act.isPending}
          error={error}
          close={close}
        />
      </form>
      {children}
      {acts.remove && (
        <p className="side-remove">
          <Sure
            label={words.remove}
            of={now.name}
            means={removeMeans}
            isBusy={remove.isPending}
            act={() => remove.mutate()}
          />
        </p>
      )}
    </>
  );
}
