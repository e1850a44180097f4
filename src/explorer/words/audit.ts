// The English words of the audit log.

import { counted, number } from '../words.ts';

export const auditWords = {
  title: 'Audit log',
  hidden: 'You don’t have access to this page.',
  filters: 'Filters',
  who: 'User',
  anybody: 'Anyone',
  me: 'Me',
  what: 'Resource type',
  anything: 'Any type',
  subject: 'Resource',
  subjectFind: 'Search by name',
  from: 'From',
  to: 'To',
  clear: 'Clear filters',
  none: 'No matches',
  noneYet: 'No changes yet',
  count: (count: number) => counted(count, 'entry', 'entries'),
  differences: (count: number) => counted(count, 'change'),
  system: 'Headwater',
  nothing: 'empty',
  times: (count: number) => `${number(count)} times`,
  csv: 'Download CSV',
  csvCut: (most: number) => `The file holds the newest ${number(most)} entries`,
  csvColumns: ['Time', 'User', 'Action', 'Resource type', 'Resource', 'Changes'],
  before: 'before',
  after: 'after',
};
