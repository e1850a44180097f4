// What OpenAPI says of tags, and the conditions that clients make of them.

const example = '"3-W0sV2mHnX0p1bE1c7yq3oQ5dJrA"';

/** The header that holds the tag of a record. */
export const entityTag = {
  description:
    'Strong tag of the record as it is shown: its version, a dash, and a digest of the body. Send it ' +
    'back as `If-Match` to change just this version.',
  schema: { type: 'string' },
  example,
};

/** The header by which a change expects a version. */
export const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Tags of the versions that the record may be at, with commas between, or `*` for any. Of a tag the ' +
    'version counts; a weak tag matches nothing. If the record is at none of them, nothing is done: 412.',
  schema: { type: 'string' },
  example,
};

/** The header by which a client says what it has. */
export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'ETags of what the client has, separated by commas. If one is still current, the answer is 304.',
  schema: { type: 'string' },
  example,
};

/** The answer to a client that has it already. */
export const notModified = {
  description: 'The client has it already; there is no content.',
  headers: { ETag: entityTag },
};
