// The memory of what is wrong with each document, so that it is validated once, and not at all where that would take long.

import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Caller } from '../caller.ts';
import { readable, refuseRepeated } from '../limits/repeated-fields.ts';

/**
 * A plugin for Yoga: a document is validated once for a schema, by the rules of this server, which are the same for all
 * requests. Yoga's own memory goes by the names of all rules, which it puts together for each request. This plugin comes
 * before those that change the errors of an answer.
 */
export function useKnownDocuments(): Plugin<Caller> {
  const known = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, readonly Error[]>>();
  return {
    onValidate({ params: { schema, documentAST }, setResult }) {
      const documents = known.get(schema) ?? new WeakMap();
      known.set(schema, documents);
      const before = documents.get(documentAST);
      if (before) return setResult(before);
      const refusal = refuseRepeated(documentAST);
      if (refusal) {
        documents.set(documentAST, [refusal]);
        return setResult([refusal]);
      }
      return ({ result, setResult: setErrors }) => {
        const errors = readable([...result]);
        documents.set(documentAST, errors);
        setErrors(errors);
      };
    },
  };
}
