// Documented fields of bodies: the tables of fields, by the inputs that take them.

import type { Form } from '../fields.ts';
import type { Operation, Parameter } from './operations/operation.ts';

/** A table of fields, as far as documents need it. */
interface Table {
  readonly fields: Readonly<Record<string, { readonly rest: string; readonly form?: Form }>>;
}

/**
 * The operations with what the fields of their bodies hold. Inputs such as CreateTagInput and UpdateTagInput
 * take the table called Tag.
 */
export function withForms(
  operations: readonly Operation[],
  tables: Readonly<Record<string, Table>>,
): Operation[] {
  const forms = new Map<string, Form>();
  for (const [noun, { fields }] of Object.entries(tables)) {
    for (const { rest, form } of Object.values(fields)) {
      if (form) forms.set(`${noun}.${rest}`, form);
    }
  }
  const holding = (parameter: Parameter): Parameter => {
    const noun = parameter.input?.replace(/^(Create|Update)|Input$/g, '');
    const form = forms.get(`${noun}.${parameter.name}`);
    return form ? { ...parameter, form: { ...form, ...parameter.form } } : parameter;
  };
  return operations.map((one) => ({ ...one, parameters: one.parameters.map(holding) }));
}
