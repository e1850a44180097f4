// Where databases lie, as people say it in GraphQL.

import { builder } from '../../graphql/builder.ts';

/** What the fields of addresses hold. */
export const addressWords = {
  database:
    'The database, in small letters; `*` for all that are not named one by one, null for tables that name none.',
  address: 'Where it lies, such as `postgres://db.example.com:5432`.',
  becomes: 'The database in which tables lie that name none.',
};

/** Where one database lies. */
export const AddressInputRef = builder.inputType('AddressInput', {
  description: 'Where a database lies that an integration names.',
  fields: (t) => ({
    database: t.string({ description: addressWords.database }),
    address: t.string({ required: true, description: addressWords.address }),
    becomes: t.string({ description: addressWords.becomes }),
  }),
});
