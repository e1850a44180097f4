// Adding a REST route: the types of integrations.

import type { Recipe } from './recipe.ts';

const before = 'query ListFailingTests($integration_id: ID!)\n';

export const route: Recipe = {
  title: 'Adding a REST route',
  edits: [
    {
      file: 'src/integrations/rest.graphql',
      from: before,
      to: `fragment IntegrationTypeRecord on IntegrationManifest
@example(of: { name: "postgres", label: "PostgreSQL", fed_by: "sync" }) {
  name
  label
  fed_by: fedBy
}

query ListIntegrationTypes
@rest(
  method: GET
  path: "/integration/types"
  tag: "Integrations"
  summary: "List the types of integrations"
) {
  integrationTypes {
    ...IntegrationTypeRecord
  }
}

${before}`,
    },
  ],
};
