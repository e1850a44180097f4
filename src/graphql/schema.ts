// The whole schema: every feature's part, and nothing of its own.

import '../resources/schema.ts';
import '../resources/kind-schema.ts';
import '../resources/query-schema.ts';
import '../resources/editing/schema.ts';
import '../resources/search/schema.ts';
import '../resources/search/saved/schema.ts';
import '../resources/lists/coverage-schema.ts';
import '../resources/terms/schema.ts';
import '../resources/comments/schema.ts';
import '../resources/announcements/schema.ts';
import '../resources/images/schema.ts';
import '../resources/questions/schema.ts';
import '../resources/deprecation-schema.ts';
import '../resources/source-facts-schema.ts';
import '../jobs/schema.ts';
import '../teams/schema.ts';
import '../tags/schema.ts';
import '../properties/schema.ts';
import '../properties/edit-many-schema.ts';
import '../properties/csv/schema.ts';
import '../people/schema.ts';
import '../people/key-schema.ts';
import '../people/service-schema.ts';
import '../people/workspace-settings-schema.ts';
import '../people/named-schema.ts';
import '../sign-in/invitation-schema.ts';
import '../sign-in/schema.ts';
import '../audit/schema.ts';
import '../resources/log-schema.ts';
import '../lineage/schema.ts';
import '../lineage/subscription-schema.ts';
import '../lineage/history/history-schema.ts';
import '../lineage/entry-schema.ts';
import '../lineage/embedding/picture-address-schema.ts';
import '../lineage/queries/schema.ts';
import '../lineage/impact/impact-schema.ts';
import '../integrations/schema.ts';
import '../integrations/imports/schema.ts';
import '../integrations/data-tests/schema.ts';
import '../integrations/addresses/schema.ts';
import '../integrations/claims/schema.ts';
import '../integrations/syncs/schema.ts';
import '../integrations/named-schema.ts';
import '../integrations/held-schema.ts';
import '../integrations/source-file-schema.ts';
import '../openlineage/runs/schema.ts';
import '../notifications/chat-schema.ts';
import '../notifications/rule-schema.ts';
import '../notifications/webhooks/schema.ts';
import '../notifications/inbox-schema.ts';
import '../notifications/named-schema.ts';
import '../monitors/schema.ts';
import '../monitors/incidents/schema.ts';
import '../monitors/mutation-schema.ts';
import '../monitors/learning/schema.ts';
import '../monitors/incidents/impact-schema.ts';
import '../monitors/incidents/recipient-schema.ts';
import '../monitors/subscription-schema.ts';
import '../monitors/named-schema.ts';
import '../monitors/series-schema.ts';
import '../monitors/maintenance/schema.ts';
import '../monitors/profiles/schema.ts';
import '../reviews/schema.ts';
import './node-schema.ts';
import { type GraphQLSchema, getNullableType } from 'graphql';
import { builder } from './builder.ts';
import { buildInTurns } from './in-turns.ts';
import { viewFor } from './views/view.ts';

/** All there is, for both of its readers. */
// To sort it would be to make it a second time; what is printed is sorted when it is printed.
export const whole = buildInTurns(
  withNullableMutations(described(builder.toSchema({ sortSchema: false }))),
);

/** The schema that people see: at /graphql, in GraphiQL and in schema.graphql. */
export const schema = viewFor('graphql', whole);

function described(made: GraphQLSchema): GraphQLSchema {
  made.description =
    'Headwater: a catalog of data, and what watches over it. Begin with `search` or `resources`; ' +
    '`lineage` and `impact` say what depends on what, `monitors` and `incidents` what is wrong, and ' +
    '`node` finds anything by its id. Lists are connections (`first`, `after`); each mutation is one ' +
    'transaction. Every request carries an API key: `Authorization: Bearer <API_KEY>`.';
  return made;
}

/** Each mutation may answer null, so that one that fails takes nothing from the answers of those next to it. */
function withNullableMutations(made: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(made.getMutationType()?.getFields() ?? {})) {
    field.type = getNullableType(field.type);
  }
  return made;
}
