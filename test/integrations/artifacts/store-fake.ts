// A store of artifacts on the loopback: S3, Google, Azure, the web or the dbt platform, as each documents it.

import { createHash } from 'node:crypto';
import { type AwsKey, awsSigned } from '../../../src/integrations/http-sources/aws-signature.ts';
import { type Answer, type Asked, type HttpFake, startFake } from '../connectors/http-fake.ts';
import { bakery, bakeryCatalog } from '../imports/bakery.ts';

/** The files of a store by name; a test may change them. */
export type Files = Record<string, string>;

/** What a project leaves in its folder. */
export const bakeryFiles = (): Files => ({
  'manifest.json': JSON.stringify(bakery()),
  'catalog.json': JSON.stringify(bakeryCatalog()),
});

/** A file as a store answers it: with its ETag, or 304 for who has that already. */
export function fileAnswer(files: Files, name: string, { headers }: Asked): Answer {
  const body = files[name];
  if (body === undefined) return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  return { headers: { etag }, body };
}

/** Requests for files that were answered, by how: `manifest.json 200`. */
export const asked = (fake: HttpFake) =>
  fake.asked.map(({ url }) => decodeURIComponent(url.pathname).split('/').at(-1) ?? '');

export const awsKey: AwsKey = {
  ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'the-secret/of+the-key', sessionToken: '' },
  ...{ region: 'eu-central-1', service: 's3' },
};

/** S3: each request has to be signed for what was sent, as the store saw it. */
export function startS3(files: Files, folder: string): Promise<HttpFake> {
  return startFake((one) => {
    const { authorization = '', host = '', 'x-amz-date': at = '' } = one.headers;
    const [, y, mo, d, h, mi, s] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(String(at)) ?? [];
    const now = new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
    const request = { method: 'GET', host, path: one.url.pathname, headers: {} };
    const wanted = awsSigned(request, awsKey, now).authorization;
    if (authorization !== wanted) {
      return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
    }
    const path = decodeURIComponent(one.url.pathname);
    if (!path.startsWith(folder)) return { status: 404, body: '<Error/>' };
    return fileAnswer(files, path.slice(folder.length), one);
  });
}

/** A run of the dbt platform, with the files that each of its steps left. */
export interface FakeRun {
  readonly id: number;
  readonly status: number;
  readonly finished_at: string;
  readonly artifacts_saved?: boolean;
  readonly steps: readonly Files[];
}

/** The platform's interface of the second version; runs are those of job 7 of account 5. */
export function startPlatform(runs: FakeRun[]): Promise<HttpFake> {
  const base = '/api/v2/accounts/5/runs/';
  return startFake((one) => {
    if (one.headers.authorization !== 'Token dbtc_the-token') return { status: 401, body: {} };
    const { pathname, searchParams } = one.url;
    if (!pathname.startsWith(base)) return { status: 404, body: {} };
    const path = pathname.slice(base.length);
    if (path === '') {
      const status = Number(searchParams.get('status'));
      const found = runs
        .filter((run) => run.status === status && searchParams.get('job_definition_id') === '7')
        .sort((a, b) => b.finished_at.localeCompare(a.finished_at))
        .slice(0, Number(searchParams.get('limit')))
        .map(({ steps: _steps, ...run }) => run);
      return { body: { data: found, extra: { pagination: { count: found.length } } } };
    }
    const [, id, file] = /^(\d+)\/(?:artifacts\/(.+))?$/.exec(path) ?? [];
    const run = runs.find((own) => own.id === Number(id));
    if (!run) return { status: 404, body: {} };
    if (file === undefined) {
      const { steps, ...more } = run;
      return { body: { data: { ...more, run_steps: steps.map((_, i) => ({ index: i + 1 })) } } };
    }
    const step = Number(searchParams.get('step') ?? run.steps.length);
    return fileAnswer(run.steps[step - 1] ?? {}, file, one);
  });
}
