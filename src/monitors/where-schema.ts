// The typed filters and orders of monitors and incidents in GraphQL.

import {
  conditionOf,
  IdCondition,
  orderByOf,
  TextCondition,
  TimeCondition,
  whereOf,
} from '../graphql/where.ts';
import { ResourceWhere } from '../resources/lists/where-schema.ts';
import {
  IncidentEndEnum,
  IncidentSeverityEnum,
  IncidentStatusEnum,
  MetricTypeEnum,
  MonitorStatusEnum,
} from './enum-schema.ts';
import { incidentOrder, monitorOrder } from './where.ts';

export const MonitorWhere = whereOf('Monitor', {
  id: { type: IdCondition, about: 'Its id.' },
  name: { type: TextCondition, about: 'Its name.' },
  status: { type: conditionOf('MonitorStatus', MonitorStatusEnum), about: 'How it stands.' },
  metricType: { type: conditionOf('MetricType', MetricTypeEnum), about: 'What it measures.' },
  isEnabled: { type: 'Boolean', about: 'Whether it runs.' },
  targetId: { type: IdCondition, about: 'The table or column that it watches.' },
  target: { type: ResourceWhere, about: 'What the table or column is like that it watches.' },
  integrationId: { type: IdCondition, about: 'The integration whose source it measures.' },
  createdById: { type: IdCondition, about: 'The user who made it.' },
  declaredById: { type: IdCondition, about: 'The integration of the project that declares it.' },
  createdAt: { type: TimeCondition, about: 'When it was made.' },
  updatedAt: { type: TimeCondition, about: 'When it last changed.' },
  lastSuccessAt: { type: TimeCondition, about: 'When a run last succeeded.' },
  nextRunAt: { type: TimeCondition, about: 'When the next run is due.' },
});

export const MonitorOrderBy = orderByOf('Monitor', monitorOrder);

export const IncidentWhere = whereOf('Incident', {
  id: { type: IdCondition, about: 'Its id.' },
  name: { type: TextCondition, about: 'Its name.' },
  status: { type: conditionOf('IncidentStatus', IncidentStatusEnum), about: 'How it stands.' },
  severity: {
    type: conditionOf('IncidentSeverity', IncidentSeverityEnum),
    about: 'How bad it is.',
  },
  resolveReason: { type: conditionOf('IncidentEnd', IncidentEndEnum), about: 'Why it is over.' },
  assigneeId: { type: IdCondition, about: 'The user who takes care of it.' },
  monitorId: { type: IdCondition, about: 'Its monitor.' },
  monitor: { type: MonitorWhere, about: 'What its monitor is like.' },
  targetId: { type: IdCondition, about: 'The table or column it is about.' },
  target: { type: ResourceWhere, about: 'What the table or column is like that it is about.' },
  integrationId: { type: IdCondition, about: 'The integration whose source was measured.' },
  createdAt: { type: TimeCondition, about: 'When it was opened.' },
  updatedAt: { type: TimeCondition, about: 'When it last changed.' },
  firstSeenAt: { type: TimeCondition, about: 'Its first measurement out of range.' },
  lastSeenAt: { type: TimeCondition, about: 'Its latest measurement out of range.' },
  resolvedAt: { type: TimeCondition, about: 'When it was resolved.' },
});

export const IncidentOrderBy = orderByOf('Incident', incidentOrder);
