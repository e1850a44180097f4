// The English words of the form that edits a monitor, and of settings of its metric.

export const editWords = {
  referred: 'Referenced column',
  referredFind: 'Find a column of the same source',
  timestampColumn: 'Timestamp column',
  timestampColumnHint: 'Leave empty to use what the source knows of its last change.',
  where: 'Condition (SQL)',
  whereHint: 'Only rows that meet it are measured.',
  edit: 'Edit monitor',
  editCancel: 'Cancel',
  editSave: 'Save changes',
  zone: 'Time zone',
  zoneHint: 'Such as Europe/Berlin; days and hours of a learned range follow it.',
  country: 'Country of public holidays',
  countryHint: 'Two letters, such as DE.',
  channel: 'Chat channel',
  channelHint: 'Notified of incidents of this monitor.',
  editHint: 'The history stays. Changes apply from the next run.',
};

export const comparisonWords = {
  first: 'First query',
  second: 'Second query',
  otherSource: 'Source of the second query',
  sameSource: 'Same source',
  compareBy: 'Compared by',
  ways: {
    difference: 'Difference of two numbers',
    ratio: 'Ratio of two numbers',
    keys: 'Rows that are missing or differ',
  },
  keyColumns: 'Key columns, one per line',
};
