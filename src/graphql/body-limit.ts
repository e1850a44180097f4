// In charge of how large a GraphQL request may be: it is refused before it is held in memory.

import type { Plugin } from 'graphql-yoga';
import { CatalogError } from '../errors.ts';
import { readText } from '../rest/body.ts';

/** Refuse bodies of more than so many bytes with 413, also those that do not say their length. */
export function useBodyLimit(maxBytes: number): Plugin {
  return {
    async onRequest({ request, fetchAPI, setRequest, endResponse }) {
      if (request.method !== 'POST') return;
      const length = request.headers.get('content-length');
      // node:http cuts a body at the length that it was announced with.
      if (length !== null && Number(length) <= maxBytes) return;
      try {
        const body = await readText(request, maxBytes);
        const { url, method, headers, signal } = request;
        setRequest(new fetchAPI.Request(url, { method, headers, signal, body }));
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        const { message, code } = error;
        const status = code === 'PAYLOAD_TOO_LARGE' ? 413 : 400;
        endResponse(
          fetchAPI.Response.json({ errors: [{ message, extensions: { code } }] }, { status }),
        );
      }
    },
  };
}
