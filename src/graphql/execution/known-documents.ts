// Remembers what is wrong with a document, so that it is validated once.

import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/**
 * A plugin for Yoga: a document is validated once for a schema, by the rules of this server, which are the same for
 * all requests. Yoga's own memory goes by the names of all rules, which it puts together for each request. It comes
 * before whatever changes the errors that are answered.
 */
export function useKnownDocuments(): Plugin {
  const known = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, readonly Error[]>>();
  return {
    onValidate({ params: { schema, documentAST }, setResult }) {
      const documents = known.get(schema) ?? new WeakMap();
      known.set(schema, documents);
      const before = documents.get(documentAST);
      if (before) return setResult(before);
      return ({ result }) => void documents.set(documentAST, result);
    },
  };
}
