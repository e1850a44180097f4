// Runs the fields of one object: as far as it goes at once, and the rest when its values come.

import { fieldsOfRow } from '../limits/cost.ts';
import { type Execution, FieldInfo, isPromise, later, Place } from './execution.ts';
import type { CompleteLeaf, FieldPlan, ObjectPlan } from './shape.ts';

/** The fields of an object, some of which may be put into it later. Throws where one may not be null. */
export function runFields(
  plan: ObjectPlan,
  source: unknown,
  run: Execution,
  parent: Place | undefined,
): Record<string, unknown> {
  const { fields, characters } = plan;
  const answer = blankAnswer(plan);
  run.characters += characters;
  for (const field of fields) {
    const value = field.completer.isLeaf
      ? runLeaf(field, field.completer.complete, source, run, parent, answer)
      : runComposite(field, field.completer.complete, source, run, parent, answer);
    if (value !== later) answer[field.key] = value;
  }
  return answer;
}

/** An object with all of its keys, whose values are still to come. */
export function blankAnswer({ blank }: ObjectPlan): Record<string, unknown> {
  return Object.getPrototypeOf(blank) === null
    ? Object.assign(Object.create(null), blank)
    : { ...blank };
}

function runLeaf(
  field: FieldPlan,
  complete: CompleteLeaf,
  source: unknown,
  run: Execution,
  parent: Place | undefined,
  answer: Record<string, unknown>,
): unknown {
  try {
    const value = resolved(field, source, run, parent, undefined);
    if (!isPromise(value)) return complete(value, run);
    const { nodes, key, isNullable } = field;
    const where = { nodes, holder: answer, key, isNullable, within: parent };
    run.expect(value, { ...where, complete, fields: 1 });
    return later;
  } catch (error) {
    return run.fail(error, field.nodes, parent, field.key, field.isNullable);
  }
}

function runComposite(
  field: FieldPlan,
  completeIn: (value: unknown, run: Execution, place: Place, info: FieldInfo) => unknown,
  source: unknown,
  run: Execution,
  parent: Place | undefined,
  answer: Record<string, unknown>,
): unknown {
  const { nodes, key, isNullable, parentType } = field;
  const place = new Place(parent, key, parentType.name, answer, isNullable);
  const info = new FieldInfo(field, run, parent, place);
  try {
    const value = resolved(field, source, run, parent, info);
    if (!isPromise(value)) return completeIn(value, run, place, info);
    const complete = (come: unknown) => completeIn(come, run, place, info);
    const fields = run.scheduler && !field.isList ? fieldsOfRow(info) : 1;
    run.expect(value, { complete, nodes, holder: answer, key, isNullable, within: parent, fields });
    return later;
  } catch (error) {
    place.isDead = true;
    return run.fail(error, nodes, parent, key, isNullable);
  }
}

/** What the field's resolver answers; the property of that name where it has none. */
function resolved(
  field: FieldPlan,
  source: unknown,
  run: Execution,
  parent: Place | undefined,
  info: FieldInfo | undefined,
): unknown {
  const { contextValue } = run.asked;
  if (field.resolve) {
    const told = info ?? new FieldInfo(field, run, parent);
    return field.resolve(source, run.argumentsOf(field), contextValue, told);
  }
  if (!hasProperties(source)) return undefined;
  const value = source[field.definition.name];
  if (typeof value !== 'function') return value;
  const told = info ?? new FieldInfo(field, run, parent);
  return Reflect.apply(value, source, [run.argumentsOf(field), contextValue, told]);
}

function hasProperties(source: unknown): source is Record<string, unknown> {
  return (typeof source === 'object' && source !== null) || typeof source === 'function';
}
