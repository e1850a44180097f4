// Form of a custom property: its name, what values it takes, and what has it.

import { ask } from '../../asking/ask.ts';
import { type Form, useForm } from '../../asking/form.ts';
import { say, useUndoable } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Choice } from '../../parts/choosing/choice.tsx';
import { ChooseSeveral } from '../../parts/choosing/choose.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Overtaken } from '../../parts/problem.tsx';
import { Sure } from '../../parts/sure.tsx';
import { PropertiesToSet } from '../../resource/properties/properties.graphql';
import { everyKind as kinds } from '../../search/kinds.ts';
import { adminWords as words } from '../../words/admin.ts';
import { propertyWords } from '../../words/properties.ts';
import { words as common, kindName } from '../../words.ts';
import type { Inverse } from '../named-form.tsx';
import {
  AdminProperties,
  ChangeProperty,
  DeleteProperty,
  MakeProperty,
  type PropertyDesigned,
  RedefineProperty,
} from './designs.graphql';
import type { Design } from './fits.ts';
import { Options } from './options.tsx';
import { useValues, ValuesThere } from './values-there.tsx';

const renewed = [AdminProperties, PropertiesToSet];
const valueTypes = Object.keys(propertyWords.types).filter(
  (type): type is Design['valueType'] => type in propertyWords.types,
);
const blank: Design = {
  name: '',
  description: '',
  valueType: 'string',
  options: [],
  entityTypes: ['all'],
};

interface DesignFormProps {
  readonly property: PropertyDesigned | null;
  readonly close: () => void;
}

/** The form; of a new one for null. */
export function DesignForm({ property, close }: DesignFormProps) {
  const { name, description, valueType, options, entityTypes } = property ?? blank;
  const now = { name, description, valueType, options, entityTypes };
  const form = useForm<Design>(now);
  const values = useValues(property?.id ?? null);
  const act = useUndoable(renewed);
  const remove = useAct(async () => {
    if (property) await ask(DeleteProperty, { id: property.id, version: property.version });
    close();
    say(common.toast.deleted(name));
  }, renewed);
  const error = act.error ?? remove.error;
  const { value } = form;
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          act.mutate(
            {
              says: property ? common.toast.saved(value.name) : common.toast.created(value.name),
              act: () => (property ? change(property, value, now) : make(value)),
            },
            { onSuccess: close },
          );
        }}
      >
        <Fields form={form} values={values} />
        {property && <ValuesThere values={values} design={value} before={now} />}
        {form.isOvertaken && (
          <Overtaken take={form.drop}>
            {name} · {propertyWords.types[valueType]}
          </Overtaken>
        )}
        <FormActs
          says={
            property ? (form.isOvertaken ? common.edit.saveAnyway : words.save) : propertyWords.make
          }
          isOff={act.isPending}
          error={error}
          close={close}
        />
      </form>
      {property && values && (
        <p className="side-remove">
          <Sure
            label={propertyWords.remove}
            of={name}
            means={propertyWords.removeMeans(values.total)}
            typed={name}
            isBusy={remove.isPending}
            act={() => remove.mutate()}
          />
        </p>
      )}
    </>
  );
}

interface FieldsProps {
  readonly form: Form<Design>;
  readonly values: ReturnType<typeof useValues>;
}

function Fields({ form: { value, write }, values }: FieldsProps) {
  const { name, description, valueType, options, entityTypes } = value;
  const isChosen = valueType === 'select' || valueType === 'multiselect';
  return (
    <>
      <NameField label={words.name} value={name} set={(next) => write({ ...value, name: next })} />
      <label className="choice">
        <span>{propertyWords.help}</span>
        <input
          value={description}
          maxLength={1_000}
          onChange={({ currentTarget }) => write({ ...value, description: currentTarget.value })}
        />
      </label>
      <Choice
        label={propertyWords.type}
        none={null}
        value={valueType}
        choices={valueTypes.map((id) => ({ id, name: propertyWords.types[id] }))}
        choose={(id) =>
          write({ ...value, valueType: valueTypes.find((one) => one === id) ?? 'string' })
        }
      />
      <ChooseSeveral
        label={propertyWords.appliesTo}
        placeholder={propertyWords.allKinds}
        choices={kinds.map((id) => ({ id, name: kindName(id, 2) }))}
        chosen={entityTypes.filter((kind) => kind !== 'all')}
        set={(chosen) => {
          const some = kinds.filter((kind) => chosen.includes(kind));
          write({ ...value, entityTypes: some.length > 0 ? some : ['all'] });
        }}
      />
      {isChosen && (
        <Options
          options={options}
          uses={values?.byValue ?? new Map()}
          set={(next) => write({ ...value, options: next })}
        />
      )}
    </>
  );
}

/** What is sent: options only where the type has some, and none of them empty. */
function inputOf({ options, ...design }: Design) {
  const isChosen = design.valueType === 'select' || design.valueType === 'multiselect';
  const named = options.map((option) => option.trim()).filter((option) => option !== '');
  return { ...design, entityTypes: [...design.entityTypes], options: isChosen ? named : [] };
}

async function make(design: Design): Promise<Inverse | null> {
  const { createCustomProperty } = await ask(MakeProperty, { input: inputOf(design) });
  if (!createCustomProperty) return null;
  const { id, version } = createCustomProperty;
  return () => ask(DeleteProperty, { id, version });
}

/** Of another type it is defined as a new one; the server refuses that where a value would not fit. */
async function change(
  { id, version }: PropertyDesigned,
  design: Design,
  before: Design,
): Promise<Inverse | null> {
  if (design.valueType !== before.valueType) {
    const sent = { id, version, input: inputOf(design) };
    const { replaceCustomProperty: changed } = await ask(RedefineProperty, sent);
    if (!changed) return null;
    return () => ask(RedefineProperty, { id, version: changed.version, input: inputOf(before) });
  }
  const { updateCustomProperty: changed } = await ask(ChangeProperty, {
    ...{ id, version },
    input: inputOf(design),
  });
  if (!changed) return null;
  return () => ask(ChangeProperty, { id, version: changed.version, input: inputOf(before) });
}
