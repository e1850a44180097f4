// Expected permissions of each role, written by hand: the code has a table of its own to be wrong in.

// A row says what a request is answered: `ok`, `null` for nothing without an error, or the status of the
// error's code. Its columns are an admin of another workspace, then a guest, viewer, editor and admin of this
// one, who all may see what is asked for, as far as their roles know of such things at all. Keys that do not
// work are answered 401, whatever is asked for.

/** What is answered without a key that works, too. */
export const openToAll = ['signInProviders'];

/** Queries of GraphQL. */
export const queries: Readonly<Record<string, string>> = {
  apiKeys: 'ok ok ok ok ok',
  auditLogs: 'ok 403 403 403 ok',
  backtestThresholds: 'ok ok ok ok ok',
  chatChannels: 'ok 403 403 ok ok',
  coverage: 'ok ok ok ok ok',
  customProperties: 'ok ok ok ok ok',
  customProperty: '404 ok ok ok ok',
  failingTests: '404 403 403 ok ok',
  group: '404 403 ok ok ok',
  groups: 'ok 403 ok ok ok',
  impact: '404 ok ok ok ok',
  impactOfManifest: '404 403 403 ok ok',
  incident: '404 ok ok ok ok',
  incidents: 'ok ok ok ok ok',
  integration: '404 403 403 ok ok',
  integrations: 'ok 403 403 ok ok',
  integrationTypes: 'ok ok ok ok ok',
  job: '404 404 404 ok ok',
  jobs: 'ok ok ok ok ok',
  lineage: '404 ok ok ok ok',
  lineageChanges: '404 ok ok ok ok',
  lineageEntries: 'ok ok ok ok ok',
  lineageEntry: '404 ok ok ok ok',
  lineageFromQuery: '404 ok ok ok ok',
  lineageMoments: '404 ok ok ok ok',
  lineagePath: '404 ok ok ok ok',
  measurements: 'ok ok ok ok ok',
  monitor: '404 ok ok ok ok',
  monitorBacktest: '404 ok ok ok ok',
  monitors: 'ok ok ok ok ok',
  monitorsAsYaml: 'ok ok ok ok ok',
  myNotifications: 'ok ok ok ok ok',
  mySessions: 'ok ok ok ok ok',
  node: '404 ok ok ok ok',
  nodes: 'ok ok ok ok ok',
  notificationRules: 'ok 403 403 ok ok',
  openLineage: 'ok 403 403 ok ok',
  notificationSettings: 'ok ok ok ok ok',
  resource: 'null ok ok ok ok',
  resourceByName: 'null ok ok ok ok',
  resourceLogs: '404 403 403 403 ok',
  resources: 'ok ok ok ok ok',
  search: 'ok ok ok ok ok',
  sessions: '404 403 403 403 ok',
  signInProviders: 'ok ok ok ok ok',
  tag: '404 ok ok ok ok',
  tags: 'ok ok ok ok ok',
  team: '404 ok ok ok ok',
  teams: 'ok ok ok ok ok',
  user: '404 403 ok ok ok',
  users: 'ok 403 ok ok ok',
  viewer: 'ok ok ok ok ok',
  webhook: '404 403 403 403 ok',
  webhooks: 'ok 403 403 403 ok',
  workspaceSettings: 'ok ok ok ok ok',
};

/** Mutations of GraphQL. */
export const mutations: Readonly<Record<string, string>> = {
  addGroupMembers: '404 403 403 403 ok',
  addTeamMembers: '404 403 403 403 ok',
  archiveResource: '404 403 403 ok ok',
  archiveTeam: '404 403 403 403 ok',
  bookmarkResource: '404 ok ok ok ok',
  cancelJob: '404 404 404 403 ok',
  createApiKey: 'ok ok ok ok ok',
  createCustomProperty: 'ok 403 403 ok ok',
  createGroup: 'ok 403 403 403 ok',
  createIntegration: 'ok 403 403 403 ok',
  createLineage: '400 403 403 ok ok',
  createLineageFromQuery: '404 403 403 ok ok',
  createMonitor: '400 403 403 ok ok',
  createNotificationRule: 'ok 403 403 ok ok',
  createQuestion: 'ok 403 ok ok ok',
  createReply: '404 403 ok ok ok',
  createResource: 'ok 403 403 ok ok',
  createTag: 'ok 403 403 ok ok',
  createTeam: 'ok 403 403 403 ok',
  createUser: 'ok 403 403 403 ok',
  createWebhook: 'ok 403 403 403 ok',
  deactivateUser: '404 403 403 403 ok',
  deleteCustomProperty: '404 403 403 ok ok',
  deleteGroup: '404 403 403 403 ok',
  deleteIntegration: '404 403 403 403 ok',
  deleteLineage: '404 403 403 ok ok',
  deleteMonitor: '404 403 403 ok ok',
  deleteNotificationRule: '404 403 403 ok ok',
  deleteTag: '404 403 403 ok ok',
  deleteWebhook: '404 403 403 403 ok',
  endSession: '404 404 404 404 ok',
  importArtifacts: '404 403 403 403 ok',
  importCsv: '404 403 403 403 ok',
  importJsonl: '404 403 403 403 ok',
  joinTeam: '404 ok ok ok ok',
  leaveTeam: '404 ok ok ok ok',
  markMeasurementNormal: '404 403 403 ok ok',
  markNotificationsRead: 'ok ok ok ok ok',
  mergeResources: '404 403 403 ok ok',
  muteMonitor: '404 403 403 ok ok',
  react: '404 ok ok ok ok',
  redeliverWebhook: '404 403 403 403 ok',
  removeGroupMembers: '404 403 403 403 ok',
  removeTeamMembers: '404 403 403 403 ok',
  replaceCustomProperty: '404 403 403 ok ok',
  replaceLineageFromQuery: '404 403 403 ok ok',
  restoreResource: '404 403 403 ok ok',
  revokeApiKey: '404 404 404 404 ok',
  rotateApiKey: '404 404 404 404 ok',
  rotateWebhookSecret: '404 403 403 403 ok',
  runMonitors: '404 403 403 ok ok',
  setCustomProperties: '404 403 403 ok ok',
  setCustomProperty: '404 403 403 ok ok',
  setIntegrationAddresses: '404 403 403 403 ok',
  signOutEverywhere: '404 403 403 403 ok',
  subscribeToResource: '404 ok ok ok ok',
  testConnection: '404 403 403 403 ok',
  testMonitor: '400 403 403 ok ok',
  testWebhook: '404 403 403 403 ok',
  triggerSync: '404 403 403 403 ok',
  updateCustomProperty: '404 403 403 ok ok',
  updateGroup: '404 403 403 403 ok',
  updateIncident: '404 403 403 ok ok',
  updateIntegration: '404 403 403 403 ok',
  updateMonitor: '404 403 403 ok ok',
  updateNotificationRule: '404 403 403 ok ok',
  updateQuestion: '404 403 403 ok ok',
  updateReply: '404 403 403 ok ok',
  updateResource: '404 403 403 ok ok',
  updateResources: 'ok 403 403 ok ok',
  updateTag: '404 403 403 ok ok',
  updateTeam: '404 403 403 403 ok',
  updateUser: '404 403 403 403 ok',
  updateWebhook: '404 403 403 403 ok',
  updateWorkspaceSettings: 'ok 403 403 ok ok',
  viewResource: '404 ok ok ok ok',
  vote: '404 ok ok ok ok',
};

/** Subscriptions of GraphQL: what their first event is, or `silent` where nothing concerns the caller. */
export const subscriptions: Readonly<Record<string, string>> = {
  incidentChanged: 'silent ok ok ok ok',
  jobChanged: '404 404 404 ok ok',
  jobsChanged: 'silent silent silent ok ok',
  measurementAdded: 'silent ok ok ok ok',
  notificationChanged: 'silent ok ok ok ok',
  resourceChanged: '404 ok ok ok ok',
  resourcesChanged: '404 ok ok ok ok',
};

/** Operations of REST by their ids, those that are alike together. */
export const operations: Readonly<Record<string, readonly string[]>> = {
  'ok ok ok ok ok': [
    ...['ListBackgroundJobs', 'ListLineage', 'ListMonitors', 'ListIncidents', 'ListMeasurements'],
    ...['ListCustomProperties', 'ListResources', 'ListCollections', 'ListTerms', 'ListCharts'],
    ...['ListDashboards', 'ListDocuments', 'ListEventCategories', 'ListEvents', 'ListQueries'],
    ...['ListEventProperties', 'ListQuestions', 'ListReplies', 'ListDatabases', 'ListSchemas'],
    ...['ListTables', 'ListColumns', 'ListTags', 'ListTeams', 'CallAgentTool'],
  ],
  'ok 403 ok ok ok': ['ListUsers', 'ListGroups', 'CreateQuestion'],
  'ok 403 403 ok ok': [
    ...['ListIntegrations', 'ListChatChannels', 'CreateCustomProperty', 'ReportLineage'],
    ...['CreateTag', 'CreateResource', 'CreateCollection', 'CreateTerm', 'CreateChart'],
    ...['CreateDashboard', 'CreateDocument', 'CreateEvent', 'CreateQuery'],
    ...['CreateEventProperty', 'CreateDatabase', 'CreateSchema', 'CreateTable', 'CreateColumn'],
  ],
  'ok 403 403 403 ok': [
    ...[
      'ListAuditLogs',
      'ExportAuditLogs',
      'CreateIntegration',
      'CreateUser',
      'CreateGroup',
      'CreateTeam',
    ],
  ],
  '404 ok ok ok ok': [
    ...['GetLineage', 'GetMonitor', 'GetIncident', 'GetCustomProperty', 'GetResource', 'GetTag'],
    ...['GetCollection', 'GetTerm', 'GetChart', 'GetDashboard', 'GetDocument', 'GetEventCategory'],
    ...['GetEvent', 'GetEventProperty', 'GetQuery', 'GetQuestion', 'GetReply', 'GetDatabase'],
    ...['GetSchema', 'GetTable', 'GetColumn', 'GetTeam', 'PreviewLineageFromQuery'],
    'GetCustomPropertyValue',
  ],
  '404 403 ok ok ok': ['GetUser', 'GetGroup', 'CreateReply'],
  '404 404 404 ok ok': ['GetBackgroundJob'],
  '404 403 403 ok ok': [
    ...['ImpactOfManifest', 'GetIntegration', 'ListFailingTests', 'DeleteLineage', 'UpdateMonitor'],
    ...['CreateLineageFromQuery', 'ReplaceLineageFromQuery', 'DeleteMonitor', 'RunMonitors'],
    ...['UpdateIncident', 'UpdateCustomProperty', 'ReplaceCustomProperty', 'DeleteCustomProperty'],
    ...['SetCustomProperty', 'ChangeCustomPropertyValue', 'SetCustomProperties'],
    ...['ChangeCustomProperties', 'UpdateResource', 'DeleteResource', 'UpdateCollection'],
    ...['DeleteCollection', 'UpdateTerm', 'DeleteTerm', 'UpdateChart', 'DeleteChart'],
    ...['UpdateDashboard', 'DeleteDashboard', 'UpdateDocument', 'DeleteDocument'],
    ...['UpdateEventCategory', 'DeleteEventCategory', 'UpdateEvent', 'DeleteEvent'],
    ...['UpdateEventProperty', 'DeleteEventProperty', 'UpdateQuery', 'DeleteQuery'],
    ...['UpdateQuestion', 'DeleteQuestion', 'UpdateReply', 'DeleteReply', 'UpdateDatabase'],
    ...['DeleteDatabase', 'UpdateSchema', 'DeleteSchema', 'UpdateTable', 'DeleteTable'],
    ...['UpdateColumn', 'DeleteColumn', 'UpdateTag', 'DeleteTag'],
  ],
  '400 403 403 ok ok': ['CreateMonitor', 'CreateEventCategory', 'TestMonitor', 'CreateLineage'],
  '404 403 403 403 ok': [
    ...['UpdateIntegration', 'DeleteIntegration', 'TriggerSync', 'ImportMetadata'],
    ...['ImportJsonlMetadata', 'UploadArtifacts', 'UpdateUser', 'DeactivateUser', 'UpdateGroup'],
    ...['DeleteGroup', 'UpdateTeam', 'DeleteTeam', 'ListResourceLogs'],
  ],
};

/** What a guest or a viewer may ask for, and holds nothing that is not for them, no matter who asks. */
export interface Unmet {
  readonly guest: readonly string[];
  readonly viewer: readonly string[];
}

const queriesForAll = [
  ...[
    'backtestThresholds',
    'coverage',
    'customProperties',
    'customProperty',
    'integrationTypes',
    'lineageMoments',
  ],
  ...['monitorBacktest', 'myNotifications', 'mySessions', 'notificationSettings'],
  'signInProviders',
];
const operationsForAll = [
  ...['CallAgentTool', 'GetCustomProperty', 'GetLineage', 'GetMonitor', 'GetTag', 'GetTagAlias1'],
  'GetCustomPropertyValue',
  ...['GetTeam', 'ListCustomProperties', 'ListMeasurements', 'ListTags', 'ListTagsAlias1'],
];

/** Of each of the tables. */
export const unmet: Readonly<Record<'queries' | 'mutations' | 'operations', Unmet>> = {
  queries: { guest: queriesForAll, viewer: [...queriesForAll, 'measurements', 'team'] },
  mutations: {
    guest: ['leaveTeam', 'markNotificationsRead'],
    viewer: ['createApiKey', 'createQuestion', 'joinTeam', 'leaveTeam', 'markNotificationsRead'],
  },
  operations: {
    guest: operationsForAll,
    viewer: [
      ...[...operationsForAll, 'CreateQuestion', 'CreateReply', 'GetGroup', 'GetIncident'],
      ...['GetIncidentAlias1', 'GetUser', 'ListGroups', 'ListUsers'],
    ],
  },
};
