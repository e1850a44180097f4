// Refuses requests with queries or values that are nested too deeply, or too long, before anything reads them.

import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { CatalogError, statusOf } from '../../errors.ts';
import {
  checkDepth,
  checkDepthOfDocument,
  checkLinesOfDocument,
} from '../../limits/request-size.ts';
import { maskError } from '../masking.ts';

/**
 * Refuse queries and values of more than 64 levels with 400, in variables and in the document alike, more values than
 * a request may hold, and more lines than a document may.
 */
export function useDepthLimit<Context extends object>(): Plugin<Context> {
  return {
    onParams({ params, setResult }) {
      try {
        for (const given of [params.variables, params.extensions]) {
          // What is no object is refused after this, by its type.
          if (typeof given === 'object' && given !== null) checkDepth(given);
        }
        if (typeof params.query === 'string') {
          checkLinesOfDocument(params.query);
          checkDepthOfDocument(params.query);
        }
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        const { message, extensions } = maskError(error, () => {});
        const http = { status: statusOf(error.code) };
        setResult({ errors: [new GraphQLError(message, { extensions: { ...extensions, http } })] });
      }
    },
  };
}
