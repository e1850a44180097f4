// Setting one custom property of a resource: choosing or writing a value, and clearing it.

import { type ReactNode, useId } from 'react';
import { useForm } from '../../asking/form.ts';
import { useUndoable } from '../../asking/undo.ts';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { words } from '../../words.ts';
import { ResourcePage } from '../page.graphql';
import type { PropertyDefined } from './properties.graphql';
import { PropertyField } from './property-field.tsx';
import { saveProperty } from './property-saving.ts';

interface PropertyFormProps {
  readonly resource: { readonly id: string; readonly version: number };
  readonly property: PropertyDefined;
  /** What it is now; an empty text where it is not set. */
  readonly now: string;
  /** The same, as people read it. */
  readonly nowSaid: ReactNode;
  /** The name of the resource that it names; an empty text for other values. */
  readonly named: string;
  readonly close: () => void;
}

/** The form; what is written stays until it is saved or given up, whatever others do. */
export function PropertyForm({
  resource,
  property,
  now,
  nowSaid,
  named,
  close,
}: PropertyFormProps) {
  const form = useForm(now);
  const hint = useId();
  const act = useUndoable([ResourcePage]);
  const { id, name } = property;
  const save = (value: string) =>
    act.mutate(
      {
        says: value === '' ? words.toast.cleared(name) : words.toast.set(name),
        async act() {
          await saveProperty({ resource, propertyId: id, from: now, value });
          return () => saveProperty({ resource, propertyId: id, from: value, value: now });
        },
      },
      { onSuccess: close },
    );
  return (
    <form
      className="doing property"
      aria-label={property.name}
      aria-describedby={hint}
      onSubmit={(event) => {
        event.preventDefault();
        save(form.value);
      }}
    >
      {property.description !== '' && (
        <small className="quiet" id={hint}>
          {property.description}
        </small>
      )}
      <PropertyField property={property} value={form.value} named={named} set={form.write} />
      {form.isOvertaken ? (
        <Overtaken take={form.drop}>{nowSaid}</Overtaken>
      ) : (
        act.error && <Problem error={act.error} />
      )}
      <div className="acts">
        <button type="submit" disabled={act.isPending || !form.isWritten || form.value === ''}>
          {form.isOvertaken ? words.edit.saveAnyway : words.edit.save}
        </button>
        {now !== '' && (
          <button type="button" disabled={act.isPending} onClick={() => save('')}>
            {words.resource.clear}
            <span className="spoken"> {name}</span>
          </button>
        )}
        <button type="button" disabled={act.isPending} onClick={close}>
          {words.edit.cancel}
        </button>
      </div>
    </form>
  );
}
