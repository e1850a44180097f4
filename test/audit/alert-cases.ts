// The cases of mutations that say when people are notified: rules and maintenance windows.

import { createWindow } from '../../src/monitors/maintenance/maintenance-window.ts';
import { createRule } from '../../src/notifications/rule.ts';
import type { Catalog } from '../catalog.ts';
import type { Case } from './activities.ts';

const q = (value: string) => JSON.stringify(value);

const times = { fromTime: '22:00', untilTime: '04:00' };

export const alertCases: Readonly<Record<string, (catalog: Catalog) => Promise<Case>>> = {
  async createNotificationRule() {
    const ask = 'createNotificationRule(input: { name: "Tell", emails: ["a@example.com"] }) { id }';
    return {
      ask,
      says: 'created the notification rule Tell',
      changes: ['name', 'emails', 'events'],
    };
  },
  async deleteNotificationRule(catalog) {
    const { id } = await createRule(catalog.admin, { name: 'Loud', emails: ['a@example.com'] });
    const ask = `deleteNotificationRule(id: ${q(id)}) { id }`;
    return { ask, says: 'deleted the notification rule Loud', changes: ['emails'] };
  },
  async updateNotificationRule(catalog) {
    const { id } = await createRule(catalog.admin, { name: 'Quiet', emails: ['a@example.com'] });
    const ask = `updateNotificationRule(id: ${q(id)}, input: { emails: ["b@example.com"] }) { id }`;
    return { ask, says: 'updated the notification rule Quiet: emails', changes: ['emails'] };
  },
  async createMaintenanceWindow() {
    const fields = 'name: "Night", fromTime: "22:00", untilTime: "04:00"';
    const ask = `createMaintenanceWindow(input: { ${fields} }) { id }`;
    const changes = ['name', 'fromTime', 'untilTime'];
    return { ask, says: 'created the maintenance window Night', changes };
  },
  async deleteMaintenanceWindow(catalog) {
    const { id } = await createWindow(catalog.admin, { name: 'Night', ...times });
    const ask = `deleteMaintenanceWindow(id: ${q(id)}) { id }`;
    return { ask, says: 'deleted the maintenance window Night', changes: ['name', 'fromTime'] };
  },
  async updateMaintenanceWindow(catalog) {
    const { id } = await createWindow(catalog.admin, { name: 'Night', ...times });
    const ask = `updateMaintenanceWindow(id: ${q(id)}, input: { measures: false }) { id }`;
    const says = 'updated the maintenance window Night: measures';
    return { ask, says, changes: ['measures'] };
  },
};
