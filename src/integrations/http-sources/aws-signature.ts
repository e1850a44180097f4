// Signatures of requests to Amazon's services, and to those that speak as they do (SigV4).

import { createHash, createHmac } from 'node:crypto';

/** Who signs. */
export interface AwsKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a key that expires; empty without. */
  readonly sessionToken: string;
  readonly region: string;
  readonly service: string;
}

/** A request without a body, its path encoded as it is sent. */
interface UnsignedRequest {
  readonly method: string;
  /** As the header `host` says it: without the port that is usual. */
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** The headers of a request with those that sign it. */
export function awsSigned(
  { method, host, path, headers }: UnsignedRequest,
  key: AwsKey,
  now: Date,
): Readonly<Record<string, string>> {
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const token = key.sessionToken === '' ? {} : { 'x-amz-security-token': key.sessionToken };
  const all: Record<string, string> = {
    ...{ ...headers, ...token, host },
    ...{ 'x-amz-date': at, 'x-amz-content-sha256': sha256('') },
  };
  const names = Object.keys(all).sort();
  const signed = names.join(';');
  const lines = names.map((name) => `${name}:${(all[name] ?? '').trim()}\n`).join('');
  const canonical = [method, path, '', lines, signed, sha256('')].join('\n');
  const scope = `${at.slice(0, 8)}/${key.region}/${key.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const signing = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${key.secretAccessKey}`);
  const signature = hmac(signing, toSign).toString('hex');
  const credential = `Credential=${key.accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential},SignedHeaders=${signed},Signature=${signature}`;
  return { ...all, authorization };
}

/** The path of an object, encoded as a signature has it. */
export function awsPath(parts: readonly string[]): string {
  const encode = (part: string) =>
    encodeURIComponent(part).replaceAll(
      /[!'()*]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return `/${parts
    .flatMap((part) => part.split('/'))
    .map(encode)
    .join('/')}`;
}
