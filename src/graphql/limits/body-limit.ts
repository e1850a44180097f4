// How large a GraphQL request may be, and how slowly it may come.

import type { Plugin } from 'graphql-yoga';
import { CatalogError, statusOf } from '../../errors.ts';
import { readText } from '../../http/body.ts';
import { noteError } from '../../tracing/request.ts';
import { requestName } from '../masking.ts';

/** Refuse bodies of more than so many bytes with 413, and those that come too slowly with 408. */
export function useBodyLimit<Context extends object>(maxBytes: number): Plugin<Context> {
  return {
    async onRequest({ request, fetchAPI, setRequest, endResponse }) {
      if (request.method !== 'POST') return;
      try {
        const body = await readText(request, maxBytes);
        const { url, method, headers, signal } = request;
        setRequest(new fetchAPI.Request(url, { method, headers, signal, body }));
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        const { message, code } = error;
        noteError('graphql', code);
        const errors = [{ message, extensions: { code, ...requestName() } }];
        endResponse(fetchAPI.Response.json({ errors }, { status: statusOf(code) }));
      }
    },
  };
}
