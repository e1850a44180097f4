// Transfer of files to the server by XMLHttpRequest, which says how much of them is there.

import { headersOf } from '../asking/ask.ts';
import { Refused } from '../asking/operation.ts';

/** Files of one upload, each in the field of the form that it belongs to. */
export type Files = readonly (readonly [field: string, file: File])[];

interface Sending {
  /** What is answered, read as JSON; nothing where the answer is empty. */
  readonly answer: Promise<unknown>;
  cancel(): void;
}

/** Send files to an address of the REST API. Its answer is a `Refused` where the server takes them not. */
export function sendFiles(
  path: string,
  files: Files,
  onSent: (bytes: number) => void = () => {},
): Sending {
  const request = new XMLHttpRequest();
  const form = new FormData();
  for (const [field, file] of files) form.append(field, file);
  const answer = new Promise<unknown>((resolve, reject) => {
    request.open('POST', `/api/v1${path}`);
    for (const [name, value] of Object.entries(headersOf())) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const body = jsonOf(request.responseText);
      if (request.status < 300) resolve(body);
      else reject(refusalOf(request.status, body));
    });
    request.addEventListener('error', () => reject(new Refused(unreached, 'UNREACHABLE')));
    request.addEventListener('abort', () => reject(new Refused('', 'CANCELLED')));
  });
  request.send(form);
  return { answer, cancel: () => request.abort() };
}

const unreached = 'The connection broke before all of the files were there. Try again.';

function jsonOf(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function refusalOf(status: number, body: unknown): Refused {
  const detail =
    typeof body === 'object' && body !== null && 'detail' in body ? String(body.detail) : '';
  const message = detail === '' ? `The server answered ${status}.` : detail;
  return new Refused(message, status === 409 ? 'CONFLICT' : 'UNKNOWN');
}
