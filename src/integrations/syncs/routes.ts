// The door for the webhook of the dbt platform over REST.

import type { ServerContext } from '../../context.ts';
import { readBytes } from '../../http/body.ts';
import type { SignedRoute } from '../../rest/route.ts';
import { followRun } from './ended-run.ts';

/** A message about a run has some hundred bytes. */
const mostBytes = 64 * 1_024;

const example = {
  ...{ accountId: 5, eventType: 'job.run.completed', eventId: 'wev_2L6ZDoilyiWzKkSA59Gmc2d7FDD' },
  data: { jobId: '7', runId: '12', runFinishedAt: '2026-01-31T09:30:00Z' },
};
const followed = {
  type: 'object',
  properties: { job_id: { type: 'string', format: 'uuid' }, ignored: { type: 'string' } },
};

/** Where the dbt platform says that a run ended. */
export function endedRunRoute(
  place: Pick<ServerContext, 'database' | 'surroundings' | 'now'>,
): SignedRoute {
  return {
    method: 'POST',
    path: '/integration/dbt/:integration_id/webhook/',
    document: {
      operationId: 'FollowRun',
      tag: 'Integrations',
      summary: 'Sync a project after a run of the dbt platform, as its webhook says',
      description:
        'A message of a webhook of the dbt platform, signed with the secret in the credentials of the integration in place of a ' +
        'key. A run of its job that ended (`job.run.completed`) and was not read before starts a sync; other messages are answered ' +
        'with the reason, and change nothing. 409 while a sync is in progress: send it again. In copies of a workspace on one server ' +
        'each with this secret is synced, and the job is one of them.',
      security: [{ WebhookSignature: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' }, example } },
      },
      responses: {
        200: {
          description: 'Nothing was started, and why.',
          content: {
            'application/json': {
              schema: followed,
              example: { ignored: 'This run was read before.' },
            },
          },
        },
        202: {
          description: 'A sync was started: its job.',
          content: {
            'application/json': {
              schema: followed,
              example: { job_id: '0197a186-8ffc-73ac-b5c7-000000000071' },
            },
          },
        },
      },
      errors: [408, 409, 413],
    },
    async answer(request, { integration_id: id = '' }) {
      const signature = request.headers.get('authorization') ?? '';
      const body = await readBytes(request, mostBytes);
      const done = await followRun(place, id, { signature: signature.trim(), body });
      return 'jobId' in done
        ? { status: 202, body: { job_id: done.jobId } }
        : { status: 200, body: done };
    },
  };
}
