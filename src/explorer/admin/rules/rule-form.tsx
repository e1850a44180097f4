// Form of a notification rule: of what, on what, and for whom.

import { useState } from 'react';
import { ask } from '../../asking/ask.ts';
import { ResourcesToChoose, type ResourceToChoose } from '../../asking/choices.graphql';
import { useForm } from '../../asking/form.ts';
import { useUndoable } from '../../asking/undo.ts';
import { useAnswer } from '../../asking/use-answer.ts';
import { useMay } from '../../asking/viewer.ts';
import { ChooseResource, ChooseSeveral, usePeople } from '../../parts/choosing/choose.tsx';
import { Ticks } from '../../parts/choosing/ticks.tsx';
import { FormActs } from '../../parts/form-acts.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Overtaken } from '../../parts/problem.tsx';
import { eventName, adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import { events } from '../events.ts';
import type { Inverse } from '../named-form.tsx';
import { Conditions } from './rule-conditions.tsx';
import {
  type AdminRule,
  AdminRules,
  ChangeRule,
  DeleteRule,
  MakeRule,
  type MakeRuleVariables,
  RuleChannels,
  RuleChoices,
} from './rules.graphql';

type Input = MakeRuleVariables['input'];
type Found = Pick<ResourceToChoose, 'id' | 'title' | 'titleFull'>;

const nothing: Input = { name: '', events: ['incident_opened'] };

interface RuleFormProps {
  /** Null for a new one. */
  readonly rule: AdminRule | null;
  readonly close: () => void;
}

/** The form. */
export function RuleForm({ rule, close }: RuleFormProps) {
  const now = rule ? inputOf(rule) : nothing;
  const form = useForm(now);
  const input = form.value;
  const [resources, setResources] = useState<readonly Found[]>(rule?.resources ?? []);
  const [emails, setEmails] = useState((now.emails ?? []).join(', '));
  const write = (changes: Partial<Input>) => form.write({ ...input, ...changes });
  const act = useUndoable([AdminRules]);
  const sent = () => ({
    ...input,
    resourceIds: resources.map(({ id }) => id),
    emails: addressesIn(emails),
  });
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const says = rule ? common.toast.saved(input.name) : common.toast.created(input.name);
          act.mutate(
            { says, act: () => (rule ? change(rule, sent(), now) : make(sent())) },
            { onSuccess: close },
          );
        }}
      >
        <NameField label={words.name} value={input.name} set={(name) => write({ name })} />
        <label className="radio">
          <input
            type="checkbox"
            checked={input.isEnabled ?? true}
            onChange={({ currentTarget }) => write({ isEnabled: currentTarget.checked })}
          />
          {words.isOn}
        </label>
        <Events input={input} write={write} />
        <fieldset className="plain-set">
          <legend>{words.ruleOn}</legend>
          <p className="quiet">{words.ruleOnHint}</p>
          <Resources chosen={resources} set={setResources} />
          <Limits input={input} write={write} />
          <Conditions input={input} write={write} />
        </fieldset>
        <fieldset className="plain-set">
          <legend>{words.ruleWhom}</legend>
          <Recipients input={input} write={write} />
          <Addresses text={emails} set={setEmails} />
        </fieldset>
        {form.isOvertaken && <Overtaken take={form.drop}>{now.name}</Overtaken>}
        <FormActs
          says={rule ? words.save : words.makeRule}
          isOff={act.isPending}
          error={act.error}
          close={close}
        />
      </form>
      {rule && (
        <p className="side-remove">
          <button
            type="button"
            disabled={act.isPending}
            onClick={() =>
              act.mutate(
                { says: common.toast.deleted(rule.name), act: () => remove(rule, now) },
                { onSuccess: close },
              )
            }
          >
            {words.remove}
            <span className="spoken"> {rule.name}</span>
          </button>
        </p>
      )}
    </>
  );
}

/** A rule, as it is written. */
function inputOf(rule: AdminRule): Input {
  const { name, isEnabled, events, upstream, severities, metricTypes, chatChannels } = rule;
  const { hoursFrom, hoursUntil, hoursDays, emails } = rule;
  return {
    ...{ name, isEnabled, events: [...events], upstream, severities: [...severities] },
    ...{ metricTypes: [...metricTypes], chatChannels: [...chatChannels], emails: [...emails] },
    ...{ hoursFrom, hoursUntil, hoursDays: [...hoursDays] },
    monitorIds: idsOf(rule.monitors),
    userIds: idsOf(rule.users),
    groupIds: idsOf(rule.groups),
    webhookIds: idsOf(rule.webhooks),
    resourceIds: idsOf(rule.resources),
    tagIds: idsOf(rule.tags),
    teamIds: idsOf(rule.teams),
  };
}

function idsOf(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

async function make(input: Input): Promise<Inverse | null> {
  const { createNotificationRule } = await ask(MakeRule, { input });
  if (!createNotificationRule) return null;
  const { id, version } = createNotificationRule;
  return () => ask(DeleteRule, { id, version });
}

async function change({ id, version }: AdminRule, input: Input, before: Input) {
  const { updateNotificationRule: changed } = await ask(ChangeRule, { id, version, input });
  if (!changed) return null;
  return () => ask(ChangeRule, { id, version: changed.version, input: before });
}

async function remove({ id, version }: AdminRule, before: Input): Promise<Inverse> {
  await ask(DeleteRule, { id, version });
  return () => ask(MakeRule, { input: before });
}

interface PartProps {
  readonly input: Input;
  readonly write: (changes: Partial<Input>) => void;
}

function Events({ input, write }: PartProps) {
  return (
    <Ticks
      legend={words.ruleWhen}
      names={events}
      says={eventName}
      chosen={input.events ?? []}
      set={(chosen) => write({ events: [...chosen] })}
    />
  );
}

interface ResourcesProps {
  readonly chosen: readonly Found[];
  readonly set: (chosen: readonly Found[]) => void;
}

function Resources({ chosen, set }: ResourcesProps) {
  return (
    <>
      {chosen.map((one) => (
        <Pill
          key={one.id}
          name={one.titleFull}
          spoken={one.title}
          takeAway={() => set(chosen.filter(({ id }) => id !== one.id))}
        />
      ))}
      <ChooseResource
        operation={ResourcesToChoose}
        label={words.ruleResource}
        placeholder={words.ruleResourceFind}
        choose={(found) => found && set([...chosen.filter(({ id }) => id !== found.id), found])}
      />
    </>
  );
}

function useChoices() {
  const mayReadWebhooks = useMay('manage_webhooks');
  return useAnswer(RuleChoices, { mayReadWebhooks }).data;
}

function Limits({ input, write }: PartProps) {
  const choices = useChoices();
  return (
    <>
      <div className="line-of-fields">
        <ChooseSeveral
          label={common.resource.tags}
          choices={choices?.tags.nodes ?? []}
          chosen={input.tagIds ?? []}
          set={(tagIds) => write({ tagIds })}
        />
        <ChooseSeveral
          label={common.resource.teams}
          choices={choices?.teams.nodes ?? []}
          chosen={input.teamIds ?? []}
          set={(teamIds) => write({ teamIds })}
        />
      </div>
      <label className="radio">
        <input
          type="checkbox"
          checked={input.upstream ?? false}
          onChange={({ currentTarget }) => write({ upstream: currentTarget.checked })}
        />
        {words.ruleUpstreamToo}
      </label>
    </>
  );
}

function Recipients({ input, write }: PartProps) {
  const choices = useChoices();
  const { people, ...found } = usePeople(true);
  const isConnected = choices?.notificationSettings.chatConnected ?? false;
  const channels = useAnswer(RuleChannels, {}, { isWanted: isConnected }).data;
  return (
    <>
      <div className="line-of-fields">
        <ChooseSeveral
          label={words.parts.people}
          {...found}
          choices={people}
          chosen={input.userIds ?? []}
          set={(userIds) => write({ userIds })}
        />
        <ChooseSeveral
          label={words.parts.groups}
          choices={choices?.groups.nodes ?? []}
          chosen={input.groupIds ?? []}
          set={(groupIds) => write({ groupIds })}
        />
        <ChooseSeveral
          label={words.ruleChannels}
          choices={channels?.chatChannels ?? []}
          chosen={input.chatChannels ?? []}
          set={(chatChannels) => write({ chatChannels })}
        />
        <ChooseSeveral
          label={words.parts.webhooks}
          choices={choices?.webhooks?.nodes ?? []}
          chosen={input.webhookIds ?? []}
          set={(webhookIds) => write({ webhookIds })}
        />
      </div>
      {choices && !choices.notificationSettings.emailEnabled && (
        <p className="quiet">{words.ruleNoEmail}</p>
      )}
    </>
  );
}

/** Email addresses, with commas between them. */
function Addresses({ text, set }: { text: string; set: (text: string) => void }) {
  return (
    <label className="choice">
      <span>{words.ruleEmails}</span>
      <input value={text} onChange={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  );
}

function addressesIn(text: string): string[] {
  return text.split(',').flatMap((one) => one.trim() || []);
}
