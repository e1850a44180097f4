// Where the artifacts of a project lie, as the credentials of its integration say it.

import { z } from 'zod';
import { field, fieldOf, optionalText, word } from '../connectors/fields.ts';

/** The places that artifacts are pulled from, by what forms call them; the first is the default. */
const places = {
  upload: 'Nowhere: they are uploaded',
  https: 'A web address',
  s3: 'Amazon S3, or a store that speaks as it does',
  gcs: 'Google Cloud Storage',
  azure: 'Azure Blob Storage',
  platform: 'The dbt platform',
} as const;

type PlaceName = keyof typeof places;

/** Text that a form asks for, and needs, where artifacts lie in one of some places. */
const asked = (places: readonly PlaceName[], label: string, help: string) =>
  field({ label, help, isNeeded: true, when: { artifacts: places } }, optionalText(2_000));

/** The same of a secret, which may be missing. */
const secret = (places: readonly PlaceName[], label: string, help: string, more: object = {}) =>
  field({ label, help, isSecret: true, when: { artifacts: places }, ...more }, optionalText());

const needed = { isNeeded: true } as const;

/** The credentials of a project. */
export const artifactFields = z.object({
  artifacts: field(
    { label: 'Artifacts', choices: places },
    z
      .enum(['upload', 'https', 's3', 'gcs', 'azure', 'platform'], {
        error: `Use one of ${Object.keys(places).join(', ')}.`,
      })
      .default('upload'),
  ),
  address: secret(
    ['https', 'azure'],
    'Address of the folder',
    'Such as https://files.example.com/target?token=..., or one with {file} where the name of the file goes.',
    needed,
  ),
  authorization: secret(
    ['https'],
    'Authorization',
    'The header that the files are asked for with, such as Bearer and a token. None, where it is empty.',
  ),
  folder: asked(['s3', 'gcs'], 'Bucket and folder', 'Such as our-bucket/dbt/target.'),
  region: asked(['s3'], 'Region', 'Such as eu-central-1.'),
  access_key_id: asked(['s3'], 'Access key', 'Its id: of a user that may read the folder.'),
  secret_access_key: secret(['s3'], 'Secret of the access key', '', needed),
  session_token: secret(['s3'], 'Session token', 'Of a key that expires. None, where it is empty.'),
  service_account: secret(
    ['gcs'],
    'Key of the service account (JSON)',
    'The file that Google made. It needs Storage Object Viewer on the bucket.',
    { ...needed, isMultiline: true },
  ),
  tenant_id: field(
    {
      label: 'Tenant',
      help: 'Of a service principal; not needed where the address carries a signature (SAS).',
      when: { artifacts: ['azure'] },
    },
    optionalText(200),
  ),
  client_id: field(
    { label: 'Client id', help: 'Of the service principal.', when: { artifacts: ['azure'] } },
    optionalText(200),
  ),
  client_secret: secret(['azure'], 'Client secret', 'Of the service principal.'),
  host: field(
    {
      label: 'Host',
      help: 'As the account page shows it, such as ab123.us1.dbt.com.',
      ...{ isNeeded: true, when: { artifacts: ['platform'] } },
    },
    fieldOf.host.or(z.literal('')).default(''),
  ),
  account_id: asked(['platform'], 'Account', 'Its number.'),
  job_id: asked(['platform'], 'Job', 'The number of the job that builds the project.'),
  token: secret(['platform'], 'Token', 'Of a service account with the right to read jobs.', needed),
  webhook_secret: secret(
    ['platform'],
    'Secret of the webhook',
    'Of a webhook for Run completed: then each run that ends starts a sync. None, where it is empty.',
  ),
  endpoint: field(
    {
      label: 'Address of the interface',
      help: 'Where it is another than that of the vendor, such as http://minio.example.com:9000.',
      when: { artifacts: ['s3', 'gcs', 'azure', 'platform'] },
    },
    word('an address')
      .refine((text) => URL.canParse(text), 'Use a whole address.')
      .optional(),
  ),
  ca: fieldOf.ca,
});

/** Where the artifacts of a project lie, and who may read them. */
export type ArtifactLogin = z.infer<typeof artifactFields>;
