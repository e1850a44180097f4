// The activity of each mutation's entry in the audit log.

/** What the entry of each mutation is filtered by. */
export const activities: Readonly<Record<string, string>> = {
  addGroupMembers: 'group_updated',
  addTeamMembers: 'team_members_added',
  archiveResource: 'table_deleted',
  archiveTeam: 'team_deleted',
  bookmarkResource: 'bookmark_added',
  cancelJob: 'job_cancelled',
  createApiKey: 'api_key_created',
  rotateApiKey: 'api_key_rotated',
  createCustomProperty: 'custom_property_created',
  createGroup: 'group_created',
  createIntegration: 'integration_created',
  createLineage: 'lineage_created',
  createLineageFromQuery: 'lineage_created',
  createMonitor: 'monitor_created',
  createNotificationRule: 'notification_rule_created',
  createQuestion: 'question_created',
  createReply: 'question_answered',
  createResource: 'event_property_created',
  createServiceAccount: 'user_created',
  createTag: 'tag_created',
  createTeam: 'team_created',
  createUser: 'user_created',
  createWebhook: 'webhook_created',
  deactivateUser: 'user_deactivated',
  deleteCustomProperty: 'custom_property_deleted',
  deleteGroup: 'group_deleted',
  deleteIntegration: 'integration_deleted',
  deleteLineage: 'lineage_deleted',
  embedLineage: 'lineage_embedded',
  deleteMonitor: 'monitor_deleted',
  deleteNotificationRule: 'notification_rule_deleted',
  deleteTag: 'tag_deleted',
  deleteWebhook: 'webhook_deleted',
  endSession: 'session_ended',
  importArtifacts: 'integration_synced',
  importCsv: 'integration_synced',
  importJsonl: 'integration_synced',
  joinTeam: 'team_joined',
  leaveTeam: 'team_left',
  markMeasurementNormal: 'measurement_marked_normal',
  mergeResources: 'resources_merged',
  muteMonitor: 'monitor_updated',
  react: 'reaction_added',
  redeliverWebhook: 'webhook_redelivered',
  removeGroupMembers: 'group_updated',
  removeTeamMembers: 'team_members_removed',
  replaceCustomProperty: 'custom_property_updated',
  replaceLineageFromQuery: 'lineage_replaced',
  restoreResource: 'table_restored',
  revokeApiKey: 'api_key_revoked',
  rotateWebhookSecret: 'webhook_secret_rotated',
  runMonitors: 'monitors_run',
  setCustomProperties: 'custom_properties_updated',
  setCustomProperty: 'custom_properties_updated',
  setIntegrationAddresses: 'integration_synced',
  signOutEverywhere: 'sessions_ended',
  subscribeToResource: 'subscription_started',
  testConnection: 'integration_connection_tested',
  testMonitor: 'monitor_tested',
  testWebhook: 'webhook_tested',
  triggerSync: 'integration_sync_started',
  updateCustomProperty: 'custom_property_updated',
  updateGroup: 'group_updated',
  updateIncident: 'incident_updated',
  updateIntegration: 'integration_updated',
  updateMonitor: 'monitor_updated',
  updateNotificationRule: 'notification_rule_updated',
  updateQuestion: 'question_updated',
  updateReply: 'question_answered',
  updateResource: 'table_updated',
  updateResources: 'table_updated',
  updateResourcesFromCsv: 'table_updated',
  updateServiceAccount: 'user_updated',
  updateTag: 'tag_updated',
  updateTeam: 'team_updated',
  updateUser: 'user_updated',
  updateWebhook: 'webhook_updated',
  updateWorkspaceSettings: 'workspace_updated',
  vote: 'vote_cast',
};

/** A mutation that succeeds, and what its entry says. */
export interface Case {
  /** The field with its arguments, and what it selects. */
  readonly ask: string;
  /** After the name of who does it; the beginning of that, where it ends with a colon and a space. */
  readonly says: string;
  /** Fields that it changes, among others. */
  readonly changes?: readonly string[];
  /** Entries that are parts of the one. */
  readonly parts?: number;
  /** The variable `$properties`, where the field takes one. */
  readonly properties?: object;
}
