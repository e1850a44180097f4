// What a line says of a deprecation, and of what only glossary terms have.

import { CatalogError } from '../../errors.ts';
import { checkFields } from '../../fields.ts';
import { deprecationNoun } from '../../resources/editing/deprecation.ts';
import { resourceNoun } from '../../resources/editing/fields.ts';
import { isConversation, type Kind } from '../../resources/kind.ts';
import type { ExtractedDeprecation } from './extraction.ts';
import { JsonRecord } from './json-fields.ts';
import { badField } from './place.ts';
import { readTo } from './reference.ts';

const termFields = ['synonyms', 'term_status', 'related_terms'] as const;
const deprecationFields = new Set(['since', 'note', 'successor']);

/** What a line says that its kind has no place for, a sentence each. */
export function withoutEffect({ place, fields }: JsonRecord, kind: Kind): string[] {
  const ofOthers = [
    ...(kind === 'glossary' ? [] : termFields),
    ...(isConversation(kind) ? ['deprecated'] : []),
  ];
  return ofOthers
    .filter((name) => fields[name] !== undefined && fields[name] !== null)
    .map((name) => badField(place, name, `has no effect on the kind ${kind}.`).message);
}

/** The synonyms, the status and the related terms of a glossary term. Throws BAD_REQUEST as a change of the term by hand does. */
export function readTerm(record: JsonRecord, kind: Kind) {
  if (kind !== 'glossary') return {};
  const [synonyms, termStatus] = [record.texts('synonyms'), record.text('term_status')];
  const relatedKeys = record.texts('related_terms');
  if (relatedKeys?.some((key) => key === record.fields.databuilder_id)) {
    throw record.fail('related_terms', 'must name other terms than this one.');
  }
  if (synonyms === undefined && termStatus === undefined) return { relatedKeys };
  const given = { synonyms, termStatus: termStatus === '' ? null : termStatus };
  return { relatedKeys, ...asByHand(record, () => checkFields(resourceNoun, given)) };
}

/**
 * That something is deprecated: true, or an object of `since`, `note` and `successor`; false and null end it. Throws
 * BAD_REQUEST as a change by hand does, and for a successor that is no reference.
 */
export function readDeprecated(record: JsonRecord, kind: Kind): ExtractedDeprecation | undefined {
  const given = record.fields.deprecated;
  if (given === undefined || isConversation(kind)) return undefined;
  if (given === null || given === false) return { is: false };
  if (given === true) return { is: true };
  const own = new JsonRecord(record.place, given, `${record.path}deprecated.`);
  own.only(deprecationFields);
  const [since, note] = [own.date('since'), own.text('note', Number.MAX_SAFE_INTEGER)?.trim()];
  asByHand(own, () => checkFields(deprecationNoun, { since, note }));
  const { successor: to } = own.fields;
  const successor = to === undefined || to === null ? undefined : readTo(own, 'successor');
  if (successor?.by === 'key' && successor.key === record.fields.databuilder_id) {
    throw own.fail('successor', 'must be another resource than this one.');
  }
  return { is: true, since, note, successor };
}

/** What a check by the rules of fields gives; what it throws names the place. */
function asByHand<T>(record: JsonRecord, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const [wrong] = error instanceof CatalogError ? error.fields : [];
    if (!wrong) throw error;
    throw record.fail(wrong.field, `is wrong: ${wrong.message}`);
  }
}
