// The closed set of statuses of glossary terms, as GraphQL types it.

import { closedSet } from '../../graphql/views/closed-set.ts';
import type { termStatuses } from './term-status.ts';

export const TermStatusEnum = closedSet<(typeof termStatuses)[number]>('TermStatus', {
  description: 'How far people agree on a glossary term.',
  values: {
    draft: 'Somebody writes it; each term begins so.',
    in_review: 'Others are asked whether they agree.',
    approved: 'It is agreed on. `approvedBy` says who approved it, and `approvedAt` when.',
  },
});
