// The English words about custom properties and their design.

import { counted, number } from '../words.ts';

export const propertyWords = {
  are: 'Fields of your own on tables, dashboards, documents and terms.',
  make: 'New property',
  help: 'Help text',
  type: 'Type',
  types: {
    string: 'Short text',
    text: 'Long text',
    number: 'Number',
    boolean: 'Yes or no',
    date: 'Date',
    select: 'One option',
    multiselect: 'Several options',
    user: 'Person',
    resource: 'Resource',
    url: 'Link',
  },
  appliesTo: 'Applies to',
  allKinds: 'All kinds',
  options: 'Options',
  option: (at: number) => `Option ${number(at)}`,
  addOption: 'Add option',
  uses: (count: number) => counted(count, 'use'),
  setOn: (count: number) => (count === 0 ? 'Not set yet' : `Set on ${counted(count, 'resource')}`),
  converts: 'Values with the new definition',
  allFit: (count: number) => `All ${counted(count, 'value')} fit and stay as they are.`,
  someDoNot: (count: number) =>
    `${counted(count, 'value does', 'values do')} not fit. Change them first.`,
  fits: 'fits',
  doesNotFit: 'does not fit',
  more: (count: number) => `and ${number(count)} more`,
  remove: 'Delete property',
  removeMeans: (count: number) =>
    count === 0
      ? 'Not set on any resource.'
      : `This also deletes its ${counted(count, 'value')}, for good.`,
};
