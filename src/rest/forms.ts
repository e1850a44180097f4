// Documented fields of bodies: the tables of fields, by the inputs that take them.

import type { Form } from '../fields.ts';
import { integrationNoun } from '../integrations/fields.ts';
import { monitorNoun } from '../monitors/fields.ts';
import { groupNoun } from '../people/group.ts';
import { userNoun } from '../people/user.ts';
import { propertyNoun } from '../properties/definition.ts';
import { resourceNoun } from '../resources/editing/fields.ts';
import { questionNoun } from '../resources/questions/question-fields.ts';
import { tagNoun } from '../tags/tag.ts';
import { teamNoun } from '../teams/team.ts';
import type { Operation, Parameter } from './operations/operation.ts';

/** A table of fields, as far as documents need it. */
interface Table {
  readonly fields: Readonly<Record<string, { readonly rest: string; readonly form?: Form }>>;
}

/** The tables whose fields REST takes: CreateTagInput and UpdateTagInput take those of Tag. */
const nouns = {
  CustomProperty: propertyNoun,
  Group: groupNoun,
  Integration: integrationNoun,
  Monitor: monitorNoun,
  // A question has what resources have, and its own.
  Question: { fields: { ...resourceNoun.fields, ...questionNoun.fields } },
  Reply: resourceNoun,
  Resource: resourceNoun,
  Tag: tagNoun,
  Team: teamNoun,
  User: userNoun,
};

/** The operations with what the fields of their bodies hold. */
export function withForms(operations: readonly Operation[]): Operation[] {
  const forms = new Map<string, Form>();
  for (const [noun, { fields }] of Object.entries<Table>(nouns)) {
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
