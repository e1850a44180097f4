// The command that posts a text as the one comment of a pull or merge request: written once, then changed.

import { appendFile, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommandEnd, statuses } from './server.ts';

export interface CommentFlags {
  readonly github?: boolean;
  readonly gitlab?: boolean;
  readonly marker: string;
}

/** Where comments are: their lists, one of them, and how a request is made. */
interface Forge {
  readonly comments: string;
  readonly comment: (id: number) => string;
  readonly method: 'PATCH' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
}

/** Comments on a page, and pages that are looked through for ours. */
const pageSize = 100;
const maxPages = 20;
/** GitHub takes 65,536 characters, GitLab a million. */
const longest = 65_000;

const env = (name: string): string => process.env[name] ?? '';

/**
 * `comment --github|--gitlab`: the standard input as a comment. One that begins with the same marker is changed instead of
 * repeated. A job without a token that may comment, as of a fork, leaves the text in the job's summary or log.
 */
export async function comment(flags: CommentFlags): Promise<void> {
  if ((flags.github ?? false) === (flags.gitlab ?? false)) {
    throw new CommandEnd('usage', 'Give --github or --gitlab.');
  }
  if (!/^[\w:.-]{1,100}$/.test(flags.marker)) {
    throw new CommandEnd('usage', '--marker takes up to 100 letters, digits, and : . _ -');
  }
  const mark = `<!-- headwater:${flags.marker} -->`;
  const given = (await text(process.stdin)).trim();
  if (given === '')
    throw new CommandEnd('usage', 'Give the text of the comment on the standard input.');
  const cut = given.length > longest ? `${given.slice(0, longest)}\n\n… cut` : given;
  const body = `${mark}\n${cut}`;
  const forge = flags.github ? await gitHub() : gitLab();
  if (!forge) return summarize(given);
  try {
    const known = await findMarked(forge, mark);
    if (known === null) await send(forge, 'POST', forge.comments, body);
    else await send(forge, forge.method, forge.comment(known), body);
  } catch (error) {
    if (error instanceof CommandEnd && error.code === 3) return summarize(given, error.message);
    throw error;
  }
}

async function gitHub(): Promise<Forge | null> {
  const number = await pullRequest();
  const token = env('GITHUB_TOKEN');
  if (number === null || token === '') return null;
  const base = `${env('GITHUB_API_URL')}/repos/${env('GITHUB_REPOSITORY')}/issues`;
  return {
    comments: `${base}/${number}/comments`,
    comment: (id) => `${base}/comments/${id}`,
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
  };
}

/** The number of the pull request that the workflow runs for; null where it runs for something else. */
async function pullRequest(): Promise<number | null> {
  const event = await readFile(env('GITHUB_EVENT_PATH'), 'utf8').catch(() => '{}');
  const { number, pull_request: pull } = JSON.parse(event);
  return typeof number === 'number' && pull ? number : null;
}

function gitLab(): Forge | null {
  const [number, token] = [env('CI_MERGE_REQUEST_IID'), env('GITLAB_TOKEN')];
  if (number === '' || token === '') return null;
  const project = encodeURIComponent(env('CI_PROJECT_ID'));
  const comments = `${env('CI_API_V4_URL')}/projects/${project}/merge_requests/${number}/notes`;
  return {
    comments,
    comment: (id) => `${comments}/${id}`,
    method: 'PUT',
    headers: { 'private-token': token },
  };
}

async function findMarked(forge: Forge, mark: string): Promise<number | null> {
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await send(forge, 'GET', `${forge.comments}?per_page=${pageSize}&page=${page}`);
    const comments: unknown = JSON.parse(answer);
    if (!Array.isArray(comments)) return null;
    for (const { id, body } of comments) {
      if (typeof id === 'number' && String(body).startsWith(mark)) return id;
    }
    if (comments.length < pageSize) return null;
  }
  return null;
}

async function send(forge: Forge, method: string, url: string, body?: string): Promise<string> {
  if (!URL.canParse(url)) throw new CommandEnd('usage', `This is no job of that forge: ${url}`);
  const response = await fetch(url, {
    method,
    headers: { ...forge.headers, 'content-type': 'application/json', 'user-agent': 'headwater' },
    ...(body === undefined ? {} : { body: JSON.stringify({ body }) }),
  }).catch(() => {
    throw new CommandEnd('not reachable', `${new URL(url).origin} does not answer.`);
  });
  const answer = await response.text();
  if (response.ok) return answer;
  const why = statuses[response.status] ?? 'failed';
  throw new CommandEnd(why, `${method} ${url} is answered with ${response.status}.`);
}

async function summarize(given: string, why = 'No token, or no pull or merge request.') {
  console.error(`${why} The text is left in the summary or log of the job.`);
  const path = env('GITHUB_STEP_SUMMARY');
  if (path === '') console.log(given);
  else await appendFile(path, `${given}\n`);
}
