// Records what a source answers to its connector, with names and values replaced: a test can replay it without an account.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/errors.ts';
import { connectors } from '../src/integrations/connectors/open.ts';
import { formOf } from '../src/integrations/connectors/read-fields.ts';
import { exchanges, type HttpExchange } from '../src/integrations/http-sources/http-source.ts';
import { parsePrivateHosts } from '../src/network/address.ts';
import { anonymizer } from './recording/answers.ts';
import type { RecordedAnswer, Recording } from './recording/recording.ts';
import { shapeOf } from './recording/shape.ts';
import { vocabularyOf } from './recording/vocabulary.ts';

const recorded = Object.keys(connectors).filter((type) => connectors[type]?.isBeta);
const usage = `Usage: npm run source:record -- TYPE --credentials FILE --out FILE

Reads a source as a sync does, and writes what it answered to a file: names and values are replaced by others of the
same form, credentials are left out, counts stay. Look through the file before you share it.

  TYPE                One of ${recorded.join(', ')}.
  --credentials FILE  JSON with the fields of the credentials, as the integration takes them.
  --out FILE          The recording.
  --help              Print this.

ALLOW_PRIVATE_HOSTS names private networks that may be connected to, as for the server.`;

/** Answers that are kept at most. */
const mostAnswers = 2_000;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const options = readOptions();
    if (options === null) {
      console.log(usage);
      return 0;
    }
    const answers = await record(options.type, options.credentials);
    const made: Recording = { type: options.type, answers };
    const text = `${JSON.stringify(made, null, 1)}\n`;
    mustHoldNoSecret(text, options.type, options.credentials);
    writeFileSync(options.out, text, { mode: 0o600 });
    console.log(
      `Wrote ${answers.length} answers to ${options.out}. Look through it before you share it.`,
    );
    return 0;
  } catch (error) {
    console.error(messageOf(error));
    return 1;
  }
}

/** The last look: what opens the source is nowhere in what is written. */
function mustHoldNoSecret(text: string, type: string, credentials: Record<string, unknown>): void {
  const fields = connectors[type]?.credentials;
  const secrets = fields ? formOf(fields).filter(({ isSecret }) => isSecret) : [];
  const found = secrets.find(({ name }) => {
    const value = credentials[name];
    return typeof value === 'string' && value.trim().length > 5 && text.includes(value.trim());
  });
  if (found)
    throw new Error(`Nothing was written: ${found.name} of the credentials is in an answer.`);
}

function readOptions() {
  const text = { type: 'string', default: '' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      credentials: text,
      out: text,
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const [type = ''] = positionals;
  if (type === 'redshift') {
    throw new Error(
      'Redshift speaks the wire protocol of PostgreSQL, and only sources that speak HTTP can be recorded.',
    );
  }
  if (!recorded.includes(type)) {
    throw new Error(`"${type}" cannot be recorded: use one of ${recorded.join(', ')}.\n\n${usage}`);
  }
  if (values.credentials === '' || values.out === '') {
    throw new Error(`--credentials and --out are needed.\n\n${usage}`);
  }
  const credentials: unknown = JSON.parse(readFileSync(values.credentials, 'utf8'));
  if (typeof credentials !== 'object' || credentials === null) {
    throw new Error(`${values.credentials} holds no JSON object.`);
  }
  return { type, out: values.out, credentials: { ...credentials } };
}

/** Read all of a source, and keep what it answers. */
async function record(
  type: string,
  credentials: Record<string, unknown>,
): Promise<RecordedAnswer[]> {
  const vocabulary = vocabularyOf(type);
  const anonymous = anonymizer(vocabulary);
  const answers: RecordedAnswer[] = [];
  const listen = (message: unknown) => {
    if (!isExchange(message) || answers.length >= mostAnswers) return;
    const { request, answer } = message;
    const { status, body } = answer;
    answers.push({ shape: shapeOf(request, vocabulary), status, body: anonymous(body) });
  };
  const reach = {
    privateHosts: parsePrivateHosts(process.env.ALLOW_PRIVATE_HOSTS ?? ''),
    filesDir: null,
  };
  const connector = await connectors[type]?.open({ id: 'recorded', reach }, credentials);
  if (!connector) throw new Error(`There is no connector of ${type}.`);
  exchanges.subscribe(listen);
  try {
    const watch = { note: (line: string) => console.log(line) };
    for await (const _ of connector.extract(watch));
    for await (const _ of connector.queryHistory?.(null) ?? []);
  } finally {
    exchanges.unsubscribe(listen);
    await connector.close();
  }
  return answers;
}

function isExchange(message: unknown): message is HttpExchange {
  return (
    typeof message === 'object' && message !== null && 'request' in message && 'answer' in message
  );
}
