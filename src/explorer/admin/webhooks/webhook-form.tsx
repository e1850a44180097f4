// Form of a webhook that is there: changing, testing, turning it off, another secret, and what it was sent.

import { ask } from '../../asking/ask.ts';
import { useForm } from '../../asking/form.ts';
import { say, useUndoable } from '../../asking/undo.ts';
import { useAct } from '../../asking/use-answer.ts';
import { Moment } from '../../parts/moment.tsx';
import { Overtaken, Problem } from '../../parts/problem.tsx';
import { Sure } from '../../parts/sure.tsx';
import { adminWords as words } from '../../words/admin.ts';
import { words as common } from '../../words.ts';
import { ShownOnce } from '../shown-once.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import {
  type AdminWebhook,
  AdminWebhooks,
  ChangeWebhook,
  type ChangeWebhookVariables,
  DeleteWebhook,
  RotateWebhookSecret,
  type RotateWebhookSecretData,
  TestWebhook,
  type TestWebhookData,
  WebhookDeliveries,
} from './webhooks.graphql';

interface WebhookFormProps {
  readonly webhook: AdminWebhook;
  readonly close: () => void;
}

/** The form. */
export function WebhookForm({ webhook, close }: WebhookFormProps) {
  const { id, version, name, url, format, isEnabled, disabledReason } = webhook;
  const now = { name, url, events: [...webhook.events] };
  const form = useForm(now);
  const act = useUndoable([AdminWebhooks]);
  type Input = ChangeWebhookVariables['input'];
  const change = (says: string, input: Input, before: Input) =>
    act.mutate({
      says,
      async act() {
        const { updateWebhook } = await ask(ChangeWebhook, { id, version, input });
        if (!updateWebhook) return null;
        return () => ask(ChangeWebhook, { id, version: updateWebhook.version, input: before });
      },
    });
  return (
    <>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change(common.toast.saved(form.value.name), form.value, now);
        }}
      >
        <WebhookFields value={form.value} format={format} set={form.write} />
        {form.isOvertaken && (
          <Overtaken take={form.drop}>
            {name} · {url}
          </Overtaken>
        )}
        {act.error && <Problem error={act.error} />}
        <p className="side-acts">
          <button type="submit" className="main" disabled={act.isPending}>
            {form.isOvertaken ? common.edit.saveAnyway : words.save}
          </button>
          <button
            type="button"
            disabled={act.isPending}
            onClick={() =>
              change(words.turned(!isEnabled), { isEnabled: !isEnabled }, { isEnabled })
            }
          >
            {isEnabled ? words.turnOff : words.turnOn}
          </button>
        </p>
        {disabledReason && <p className="wrong">{disabledReason}</p>}
      </form>
      <Testing id={id} />
      {format === 'headwater' && <Rotating webhook={webhook} />}
      <h3>{words.deliveries}</h3>
      <Deliveries id={id} />
      <Deleting webhook={webhook} close={close} />
    </>
  );
}

function Testing({ id }: { id: string }) {
  const test = useAct<void, TestWebhookData>(
    () => ask(TestWebhook, { id }),
    [WebhookDeliveries, AdminWebhooks],
  );
  const tested = test.data?.testWebhook;
  return (
    <div>
      <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? words.testing : words.test}
      </button>
      {tested && (
        <p role="status" className={tested.ok ? '' : 'wrong'}>
          {tested.ok ? words.tested(tested.status, tested.durationMs) : tested.reason}
        </p>
      )}
      {test.error && <Problem error={test.error} />}
    </div>
  );
}

/** Hours in which requests are signed with both secrets, so that the receiver can change over. */
const overlapHours = 24;

function Rotating({ webhook: { id, name, previousUntil } }: { webhook: AdminWebhook }) {
  const rotate = useAct<void, RotateWebhookSecretData>(
    () => ask(RotateWebhookSecret, { id, overlapHours }),
    [AdminWebhooks],
  );
  const secret = rotate.data?.rotateWebhookSecret?.secret ?? '';
  return (
    <div>
      <Sure
        label={words.rotate}
        of={name}
        means={words.rotateMeans(overlapHours)}
        isBusy={rotate.isPending}
        act={() => rotate.mutate()}
      />
      {previousUntil && Date.parse(previousUntil) > Date.now() && (
        <p className="quiet">
          {words.previousSecret} <Moment at={previousUntil} />
        </p>
      )}
      {rotate.error && <Problem error={rotate.error} />}
      {secret !== '' && (
        <ShownOnce
          title={words.secretReady}
          says={words.secretMade}
          copy={words.copySecret}
          secret={secret}
          done={rotate.reset}
        />
      )}
    </div>
  );
}

function Deleting({ webhook: { id, version, name }, close }: WebhookFormProps) {
  const remove = useAct(async () => {
    await ask(DeleteWebhook, { id, version });
    close();
    say(common.toast.deleted(name));
  }, [AdminWebhooks]);
  return (
    <p className="side-remove">
      <Sure
        label={words.remove}
        of={name}
        means={words.deleteWebhookMeans}
        isBusy={remove.isPending}
        act={() => remove.mutate()}
      />
      {remove.error && <Problem error={remove.error} />}
    </p>
  );
}
