// The datasets of BigQuery's projects, as its REST interface lists them.

import { z } from 'zod';
import { askApi, callOf, type HttpApi, parsed } from '../../http-sources/http-api.ts';
import type { SchemaChoice } from '../patterns.ts';
import { projectPath } from './requests.ts';

const timeoutMs = 300_000;

/** A dataset, and where its data is. */
export interface Dataset {
  readonly project: string;
  readonly dataset: string;
  readonly location: string;
}

const page = z.object({
  datasets: z
    .array(
      z.object({
        datasetReference: z.object({ datasetId: z.string() }),
        location: z.string().default('US'),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});

/** The datasets that may be read, by name. Costs nothing. */
export async function datasetsOf(
  api: HttpApi,
  projects: readonly string[],
  choice: SchemaChoice,
  signal?: AbortSignal,
): Promise<Dataset[]> {
  const found: Dataset[] = [];
  const call = await callOf(api, timeoutMs, signal);
  for (const project of projects.filter((name) => choice.database(name))) {
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query = new URLSearchParams({
        maxResults: '1000',
        ...(token ? { pageToken: token } : {}),
      });
      const path = `${projectPath(project)}/datasets?${query}`;
      const answer = await askApi(call, { method: 'GET', path });
      const read: z.infer<typeof page> = parsed(api, page, answer);
      for (const { datasetReference, location } of read.datasets) {
        const dataset = datasetReference.datasetId;
        if (choice.schema(project, dataset)) found.push({ project, dataset, location });
      }
      token = read.nextPageToken;
    }
  }
  return found.sort((a, b) => compare(a.project, b.project) || compare(a.dataset, b.dataset));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
