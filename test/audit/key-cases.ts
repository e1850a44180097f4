// The cases of mutations of API keys.

import { createApiKey } from '../../src/people/api-key.ts';
import type { Catalog } from '../catalog.ts';
import type { Case } from './activities.ts';

const q = (value: string) => JSON.stringify(value);

export const keyCases: Readonly<Record<string, (catalog: Catalog) => Promise<Case>>> = {
  async createApiKey(catalog) {
    const args = `name: "CI", userId: ${q(catalog.idOf('editor'))}, expiresAt: "2999-01-01T00:00:00Z"`;
    const says =
      'created the API key CI for editor@example.com, who has the role editor; it may READ and expires at ' +
      '2999-01-01T00:00:00.000Z';
    const changes = ['userId', 'name', 'prefix', 'expiresAt', 'scopes'];
    return { ask: `createApiKey(input: { ${args} }) { key }`, says, changes };
  },
  async rotateApiKey(catalog) {
    const { apiKey } = await createApiKey(catalog.admin, { name: 'Old' });
    const says = 'replaced the API key Old of admin@example.com: ';
    return { ask: `rotateApiKey(id: ${q(apiKey.id)}) { key }`, says, changes: ['expiresAt'] };
  },
  async revokeApiKey(catalog) {
    const userId = catalog.idOf('viewer');
    const { apiKey } = await createApiKey(catalog.admin, { name: 'Lost', userId });
    const ask = `revokeApiKey(id: ${q(apiKey.id)}) { id }`;
    return { ask, says: 'revoked the API key Lost of viewer@example.com', changes: ['revokedAt'] };
  },
};
