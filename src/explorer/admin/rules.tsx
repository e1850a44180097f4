// Notification rules: who is notified of what and why not, pausing and deleting them.

import { ask } from '../asking/ask.ts';
import { useAct, useList } from '../asking/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { Sure } from '../parts/sure.tsx';
import { eventName, adminWords as words } from '../words/admin.ts';
import { metricName } from '../words/metrics.ts';
import { WorkspaceFields } from '../workspace/workspace-fields.tsx';
import { atOnce, List } from './list.tsx';
import { RuleMaking } from './rule-making.tsx';
import {
  type AdminRule,
  AdminRules,
  ChangeRule,
  type ChangeRuleVariables,
  DeleteRule,
} from './rules.graphql';

/** All rules, the newest first. */
export function Rules() {
  const list = useList(AdminRules, {}, { atOnce, of: (data) => data.notificationRules });
  return (
    <>
      <p className="quiet">{words.rulesAre}</p>
      <WorkspaceFields />
      <List of={list}>{(rule) => <Row rule={rule} />}</List>
      <RuleMaking />
    </>
  );
}

function Row({ rule }: { rule: AdminRule }) {
  const { id, version, name, isEnabled, events, warnings } = rule;
  const change = useAct(
    (input: ChangeRuleVariables['input']) => ask(ChangeRule, { id, version, input }),
    [AdminRules],
  );
  const remove = useAct(() => ask(DeleteRule, { id, version }), [AdminRules]);
  const error = change.error ?? remove.error;
  const isBusy = change.isPending || remove.isPending;
  return (
    <>
      <span className={`badge ${isEnabled ? 'good' : ''}`}>
        {isEnabled ? words.enabled : words.disabled}
      </span>
      <span className="of">
        <b>{name}</b>
        <small>
          {words.ruleSays(recipientsOf(rule), events.map(eventName), limitsOf(rule))}
          {rule.upstream && ` · ${words.ruleUpstream}`}
        </small>
        {warnings.map((warning) => (
          <small key={warning} className="wrong">
            {warning}
          </small>
        ))}
        {error && <Problem error={error} />}
      </span>
      <button
        type="button"
        disabled={isBusy}
        onClick={() => change.mutate({ isEnabled: !isEnabled })}
      >
        {isEnabled ? words.turnOff : words.turnOn}
        <span className="spoken"> {name}</span>
      </button>
      <Sure label={words.remove} of={name} isBusy={isBusy} act={() => remove.mutate()} />
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
