// The cases of mutations of comments and announcements.

import { createAnnouncement } from '../../src/resources/announcements/announcement.ts';
import { createComment } from '../../src/resources/comments/resource-comment.ts';
import type { Catalog } from '../catalog.ts';
import type { Case } from './activities.ts';

const q = (value: string) => JSON.stringify(value);

async function comment(catalog: Catalog): Promise<string> {
  const { id: resourceId } = await catalog.resource({ title: 'orders' });
  return (await createComment(catalog.admin, { resourceId, text: 'Odd' })).id;
}

async function announcement(catalog: Catalog): Promise<string> {
  return (await createAnnouncement(catalog.admin, { text: 'Odd' })).id;
}

export const commentCases: Readonly<Record<string, (catalog: Catalog) => Promise<Case>>> = {
  async createComment(catalog) {
    const { id } = await catalog.resource({ title: 'orders' });
    const ask = `createComment(input: { resourceId: ${q(id)}, text: "Odd" }) { id }`;
    return { ask, says: 'created the comment on orders', changes: ['text'] };
  },
  async updateComment(catalog) {
    const ask = `updateComment(id: ${q(await comment(catalog))}, input: { text: "Even" }) { id }`;
    return { ask, says: 'updated the comment on orders: text', changes: ['text'] };
  },
  async deleteComment(catalog) {
    const ask = `deleteComment(id: ${q(await comment(catalog))}) { id }`;
    return { ask, says: 'deleted the comment on orders', changes: ['text'] };
  },

  async createAnnouncement(catalog) {
    const { id } = await catalog.resource({ title: 'orders' });
    const ask = `createAnnouncement(input: { resourceId: ${q(id)}, text: "Odd" }) { id }`;
    const changes = ['text', 'severity', 'startsAt'];
    return { ask, says: 'created the announcement on orders', changes };
  },
  async updateAnnouncement(catalog) {
    const id = q(await announcement(catalog));
    const ask = `updateAnnouncement(id: ${id}, input: { severity: WARNING }) { id }`;
    const says = 'updated the announcement to everyone: severity';
    return { ask, says, changes: ['severity'] };
  },
  async deleteAnnouncement(catalog) {
    const ask = `deleteAnnouncement(id: ${q(await announcement(catalog))}) { id }`;
    const changes = ['text', 'severity', 'startsAt'];
    return { ask, says: 'deleted the announcement to everyone', changes };
  },
};
