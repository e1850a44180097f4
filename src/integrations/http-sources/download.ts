// Downloads from sources that speak HTTP: written to disk as they come, and no more than is allowed.

import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooLarge, unavailable } from '../../errors.ts';
import { codeOf } from '../connectors/failure.ts';
import { type HttpAnswer, type HttpRequest, type HttpSource, send } from './http-source.ts';
import { readAnswer } from './read-answer.ts';

/** Where a download goes. */
export interface DownloadTarget {
  readonly path: string;
  /** What messages call it. */
  readonly name: string;
  readonly maxBytes: number;
}

/**
 * Send a request, and write the body of a success to a file, packed as it comes; the answer has no body then. Throws
 * PAYLOAD_TOO_LARGE, and what `send` throws.
 */
export function download(
  source: HttpSource,
  request: HttpRequest,
  { path, name, maxBytes }: DownloadTarget,
): Promise<HttpAnswer> {
  return send(source, request, async (response) => {
    if (response.statusCode !== 200) return readAnswer(response);
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes <= maxBytes) done(null, chunk);
        else done(tooLarge(`${name}: holds more than ${maxBytes} bytes, the most that is read.`));
      },
    });
    try {
      await pipeline(response, count, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      if (!/PREMATURE_CLOSE|ECONNRESET/.test(codeOf(error))) throw error;
      throw unavailable('The source closed the connection.');
    }
    return '';
  });
}
