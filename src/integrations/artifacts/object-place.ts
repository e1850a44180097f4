// Folders that artifacts lie in: of the web, Amazon S3, Google Cloud Storage and Azure Blob Storage.

import { invalid, invalidField } from '../../errors.ts';
import type { NetworkReach } from '../../network/reach.ts';
import type { LearningScrub } from '../../secrets/redaction.ts';
import { refused } from '../connectors/failure.ts';
import { awsPath, awsSigned } from '../http-sources/aws-signature.ts';
import { findWeb, mintToken } from '../http-sources/http-api.ts';
import { hostHeader } from '../http-sources/http-source.ts';
import { serviceAccountTokens } from '../http-sources/service-account-token.ts';
import { tokenCache } from '../http-sources/token-cache.ts';
import type { FileSource } from '../readers/source.ts';
import type { ArtifactLogin } from './artifact-fields.ts';
import { type FileAddress, findFileAt, type PulledFile, pullFile } from './artifact-file.ts';
import {
  type ArtifactName,
  type ArtifactPlace,
  artifactNames,
  artifactsOf,
  fileOf,
  type Pulled,
  type PullRequest,
} from './artifact-place.ts';

/** Where a file of the folder is, by its name. */
type Locate = (file: string) => Promise<FileAddress>;

/** The folder of a login. Throws BAD_REQUEST for a login that says no folder. */
export function openFolder(
  login: ArtifactLogin,
  reach: NetworkReach,
  scrub: LearningScrub,
): ArtifactPlace {
  const locate = { https: onTheWeb, azure: inAzure, s3: inS3, gcs: inGoogle };
  const { artifacts } = login;
  if (artifacts === 'upload' || artifacts === 'platform') throw new Error('There is no folder.');
  const where = locate[artifacts](login, reach, scrub.also);
  return {
    scrub,
    pull: (request) => pullFolder(where, request),
    async look(signal) {
      const there: string[] = [];
      for (const name of artifactNames) {
        const file = fileOf(name);
        if (await findFileAt(() => where(file), signal)) there.push(file);
      }
      if (there.length === 0) throw nothingThere();
      return `Found ${there.join(', ')}.`;
    },
  };
}

async function pullFolder(where: Locate, request: PullRequest): Promise<Pulled | null> {
  const found = new Map<ArtifactName, PulledFile | 'unchanged' | null>();
  const pull = async (name: ArtifactName, known: string | undefined) => {
    // A store may hide from who cannot list a folder that there is no such file.
    const absent = found.get('manifest') ? [403, 404] : [404];
    const file = await pullFile(() => where(fileOf(name)), name, request, known, { absent });
    found.set(name, file);
    return file;
  };
  for (const name of artifactNames) await pull(name, request.known.get(fileOf(name)));
  if ([...found.values()].every((file) => file === null)) throw nothingThere();
  // The columns of a catalog belong to the tables of a manifest: one is not read without the other.
  const pair = ['manifest', 'catalog'] as const;
  const isPairNew = pair.some((name) => isFile(found.get(name)));
  for (const name of pair) {
    if (isPairNew && found.get(name) === 'unchanged') await pull(name, undefined);
  }
  const files = new Map<ArtifactName, FileSource[]>();
  const versions = new Map<string, string>();
  for (const [name, file] of found) {
    if (!isFile(file)) {
      request.note(`${fileOf(name)}: ${file === null ? 'not there' : 'unchanged'}.`);
      continue;
    }
    files.set(name, [file]);
    if (file.version !== null) versions.set(fileOf(name), file.version);
  }
  const artifacts = artifactsOf(files);
  return artifacts && { artifacts, versions };
}

function isFile(file: PulledFile | 'unchanged' | null | undefined): file is PulledFile {
  return file !== null && file !== undefined && file !== 'unchanged';
}

function nothingThere() {
  return invalid(`The folder holds none of ${artifactNames.map(fileOf).join(', ')}.`);
}

/** Where the name of the file stands in an address, unless it comes last. */
const fileHere = '{file}';

/** An address of the web; what it is asked with after the path is sent as it is. */
function onTheWeb(login: ArtifactLogin, reach: NetworkReach): Locate {
  const { authorization } = login;
  return webFolder(login, reach, async () => (authorization === '' ? {} : { authorization }));
}

function webFolder(
  { address, ca }: ArtifactLogin,
  reach: NetworkReach,
  headers: () => Promise<Readonly<Record<string, string>>>,
): Locate {
  const whole = (file: string) => {
    const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(address.trim()) ?? [];
    return address.includes(fileHere)
      ? address.trim().replaceAll(fileHere, file)
      : `${path.replace(/\/+$/, '')}/${file}${query}`;
  };
  const sample = whole('manifest.json');
  const url = URL.canParse(sample) ? new URL(sample) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw invalidField(
      'credentials.address',
      'Use an http or https address of the folder, without a login.',
    );
  }
  return async (file) => {
    const url = new URL(whole(file));
    const source = await findWeb({ url: url.href, ca }, reach);
    return { source, path: `${url.pathname}${url.search}`, headers: await headers() };
  };
}

const azureVersion = '2021-08-06';

/** A folder of Azure: its address carries a signature, or a service principal signs in. */
function inAzure(
  login: ArtifactLogin,
  reach: NetworkReach,
  learn: (secret: string) => void,
): Locate {
  const { tenant_id: tenant, client_id, client_secret, ca } = login;
  const version = { 'x-ms-version': azureVersion };
  if (tenant === '') return webFolder(login, reach, async () => version);
  const url = login.endpoint ?? 'https://login.microsoftonline.com';
  const mint = async (signal: AbortSignal) =>
    mintToken(
      {
        source: await findWeb({ url, ca }, reach),
        path: `/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
        form: {
          ...{ grant_type: 'client_credentials', client_id, client_secret },
          scope: 'https://storage.azure.com/.default',
        },
        refusal: (said) => refused(`the service principal is not accepted (${said}).`),
      },
      signal,
    );
  const tokens = tokenCache(mint, learn);
  return webFolder(login, reach, async () => {
    const token = await tokens.get(AbortSignal.timeout(30_000));
    return { ...version, 'x-ms-date': new Date().toUTCString(), authorization: `Bearer ${token}` };
  });
}

/** The bucket and the folder in it, which may be written as an address is. */
function bucketOf({ folder }: ArtifactLogin): { bucket: string; key: (file: string) => string } {
  const [bucket = '', ...parts] = folder
    .trim()
    .replace(/^(s3|gs):\/\//i, '')
    .split('/');
  if (!/^[\w.-]+$/.test(bucket)) {
    throw invalidField('credentials.folder', 'Begin it with the name of a bucket.');
  }
  const within = parts.filter((part) => part !== '');
  return { bucket, key: (file) => [...within, file].join('/') };
}

/** A folder of S3. A bucket is part of the host, as Amazon has it, unless its name or the store does not allow that. */
function inS3(login: ArtifactLogin, reach: NetworkReach): Locate {
  const { endpoint, ca } = login;
  const region = login.region.trim();
  if (!/^[\w-]+$/.test(region)) {
    throw invalidField('credentials.region', 'Use a region, such as eu-central-1.');
  }
  const { bucket, key } = bucketOf(login);
  const isPath = endpoint !== undefined || bucket.includes('.');
  const base = endpoint ?? `https://${isPath ? '' : `${bucket}.`}s3.${region}.amazonaws.com`;
  const signer = {
    ...{ accessKeyId: login.access_key_id.trim(), secretAccessKey: login.secret_access_key.trim() },
    ...{ sessionToken: login.session_token.trim(), region, service: 's3' },
  };
  return async (file) => {
    const source = await findWeb({ url: base, ca }, reach);
    const path = awsPath([...(isPath ? [bucket] : []), key(file)]);
    const request = { method: 'GET', host: hostHeader(source), path, headers: {} };
    return { source, path, headers: awsSigned(request, signer, new Date()) };
  };
}

const readOnly = 'https://www.googleapis.com/auth/devstorage.read_only';

/** A folder of Google Cloud Storage. */
function inGoogle(
  login: ArtifactLogin,
  reach: NetworkReach,
  learn: (secret: string) => void,
): Locate {
  const { endpoint = 'https://storage.googleapis.com', ca } = login;
  const { bucket, key } = bucketOf(login);
  const { hostname: host, port, protocol } = new URL(endpoint);
  const ssl = protocol === 'http:' ? ('disable' as const) : ('verify-full' as const);
  const own = { host, port: Number(port) || (ssl === 'disable' ? 80 : 443), ssl, ca };
  const account = { file: login.service_account, scope: readOnly, own };
  const tokens = serviceAccountTokens(account, reach, learn);
  return async (file) => {
    const source = await findWeb({ url: endpoint, ca }, reach);
    const token = await tokens.get(AbortSignal.timeout(30_000));
    const object = encodeURIComponent(key(file));
    const path = `/storage/v1/b/${encodeURIComponent(bucket)}/o/${object}?alt=media`;
    return { source, path, headers: { authorization: `Bearer ${token}` } };
  };
}
