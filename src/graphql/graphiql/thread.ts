// Reads GraphiQL from its package and packs it, on a thread that ends: its 9 MB of text stay nowhere.

import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import * as graphiql from '@graphql-yoga/render-graphiql/graphiql';
import { lowerPriority } from '../../process/thread.ts';

/** The parts of the library by the names that the page loads them by, each packed. */
export type GraphiQLParts = Record<string, Uint8Array>;

lowerPriority();

const parts: GraphiQLParts = {
  'graphiql.js': gzipSync(graphiql.js),
  'graphiql.css': gzipSync(graphiql.css),
  'worker-editor.js': gzipSync(graphiql.editorWorkerService),
  'worker-json.js': gzipSync(graphiql.jsonWorker),
  'worker-graphql.js': gzipSync(graphiql.graphqlWorker),
};

parentPort?.postMessage(parts);
