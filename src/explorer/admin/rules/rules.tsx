// Notification rules: who is notified of what, and why not.

import { useList } from '../../asking/use-answer.ts';
import { eventName, adminWords as words } from '../../words/admin.ts';
import { metricName } from '../../words/names/metrics.ts';
import { WorkspaceFields } from '../../workspace/workspace-fields.tsx';
import { atOnce, Part } from '../part.tsx';
import { RuleForm } from './rule-form.tsx';
import { type AdminRule, AdminRules } from './rules.graphql';

/** All rules, the newest first. */
export function Rules() {
  const list = useList(AdminRules, {}, { atOnce, of: (data) => data.notificationRules });
  return (
    <Part
      title={words.parts.rules}
      hint={words.rulesAre}
      above={<WorkspaceFields />}
      list={list}
      makes={words.makeRule}
      heads={[words.ruleWhat, words.status]}
      cells={(rule) => [
        <Says key="says" rule={rule} />,
        <span key="status" className={rule.isEnabled ? 'badge good' : 'badge'}>
          {rule.isEnabled ? words.enabled : words.disabled}
        </span>,
      ]}
      form={(rule, close) => <RuleForm rule={rule} close={close} />}
    />
  );
}

function Says({ rule }: { rule: AdminRule }) {
  return (
    <>
      {words.ruleSays(recipientsOf(rule), rule.events.map(eventName), limitsOf(rule))}
      {rule.upstream && ` · ${words.ruleUpstream}`}
      {rule.warnings.map((warning) => (
        <small key={warning} className="wrong">
          {warning}
        </small>
      ))}
    </>
  );
}

function recipientsOf({ users, groups, chatChannels, emails, webhooks }: AdminRule): string[] {
  const named = [...users, ...groups, ...webhooks].map(({ name }) => name);
  return [...named, ...emails, ...chatChannels];
}

/** What the rule is limited to; nothing where it is not. */
function limitsOf({ resources, tags, teams, ...rule }: AdminRule): string[] {
  const { hoursFrom: from, hoursUntil: until, hoursDays: days } = rule;
  return [
    ...resources.map(({ titleFull }) => titleFull),
    ...tags.map(({ name }) => words.ruleTagged(name)),
    ...teams.map(({ name }) => words.ruleHeld(name)),
    ...rule.severities.map((severity) => words.ruleSeverity(severity)),
    ...rule.metricTypes.map(metricName),
    ...rule.monitors.map(({ name }) => name),
    ...(from === null || until === null ? [] : [words.ruleHours(from, until, days)]),
  ];
}
