import { useState } from 'react';
import type { Schemas } from '../../data/api.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Checkbox, Switch, TextField } from '../../ui/fields.tsx';
import { ProjectField } from '../../ui/project-field.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  createSubscription,
  deleteSubscription,
  rotateSecret,
  type Subscription,
  updateSubscription,
} from './subscription-queries.ts';

type EventName = Subscription['events'][number];

const events: readonly { name: EventName; label: string }[] = [
  { name: 'execution.failed', label: 'An execution fails' },
  { name: 'execution.crashed', label: 'An execution crashes' },
  { name: 'execution.canceled', label: 'An execution is canceled' },
  { name: 'execution.finished', label: 'An execution succeeds' },
  { name: 'execution.waiting', label: 'An execution waits for long' },
  { name: 'workflow.created', label: 'A workflow is created' },
  { name: 'workflow.updated', label: 'A workflow is changed' },
  { name: 'workflow.activated', label: 'A workflow is activated' },
  { name: 'workflow.deactivated', label: 'A workflow is deactivated' },
  { name: 'workflow.deleted', label: 'A workflow is deleted' },
];

type Values = Required<Pick<Schemas['UpdateEventSubscriptionBody'], 'name' | 'url' | 'events'>>;

const isComplete = ({ name, url, events: chosen }: Values) => name.trim() !== '' && url.trim() !== '' && chosen.length > 0;

interface FieldsProps {
  values: Values;
  onChange(values: Values): void;
}

function Fields({ values, onChange }: FieldsProps) {
  const toggle = (event: EventName, isChosen: boolean) =>
    onChange({
      ...values,
      events: events.map(({ name }) => name).filter((name) => (name === event ? isChosen : values.events.includes(name))),
    });
  return (
    <>
      <TextField label="Name" required maxLength={128} value={values.name} onChange={(name) => onChange({ ...values, name })} />
      <TextField
        label="URL"
        type="url"
        hint="Receives a signed POST request for each event, as in Standard Webhooks."
        required
        maxLength={2048}
        placeholder="https://example.com/events"
        value={values.url}
        onChange={(url) => onChange({ ...values, url })}
      />
      <fieldset className="check-list">
        <legend className="field-legend">Events</legend>
        {events.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={values.events.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          />
        ))}
      </fieldset>
    </>
  );
}

/** Creates a subscription, and shows its secret once. */
export function CreateSubscriptionDialog({ onClose }: { onClose(): void }) {
  const [values, setValues] = useState<Values>({ name: '', url: '', events: ['execution.failed', 'execution.crashed'] });
  const [projectId, setProject] = useState('');
  const create = async () => (await createSubscription({ ...values, ...(projectId !== '' && { projectId }) })).secret;
  return (
    <SecretDialog
      title="New event subscription"
      action="Create"
      disabled={!isComplete(values)}
      createdTitle={`Secret of “${values.name.trim()}”`}
      label="Secret that signs the events"
      onClose={onClose}
      onCreate={create}
    >
      <Fields values={values} onChange={setValues} />
      <ProjectField hint="Its events are sent." value={projectId} onChange={setProject} />
    </SecretDialog>
  );
}

interface DialogProps {
  subscription: Subscription;
  onClose(): void;
}

export function EditSubscriptionDialog({ subscription, onClose }: DialogProps) {
  const { id, name, url, events: chosen } = subscription;
  const [values, setValues] = useState<Values>({ name, url, events: chosen });
  const [active, setActive] = useState(subscription.active);
  const save = async () => {
    await updateSubscription(id, { ...values, active });
    toast.success('Event subscription saved');
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Change “${name}”`} action="Save" disabled={!isComplete(values)} onConfirm={save}>
      {subscription.disabledReason !== null && <p className="field-error">Deactivated: {subscription.disabledReason}</p>}
      <Fields values={values} onChange={setValues} />
      <Switch checked={active} onChange={setActive} label="Active: events are recorded and sent" />
    </ConfirmDialog>
  );
}

export function RotateSecretDialog({ subscription: { id, name }, onClose }: DialogProps) {
  return (
    <SecretDialog
      title={`Replace the secret of “${name}”?`}
      action="Replace"
      disabled={false}
      createdTitle={`New secret of “${name}”`}
      label="Secret that signs the events"
      onClose={onClose}
      onCreate={async () => (await rotateSecret(id)).secret}
    >
      <p>For a day, events are signed with both secrets.</p>
    </SecretDialog>
  );
}

export function DeleteSubscriptionDialog({ subscription: { id, name }, onClose }: DialogProps) {
  const remove = async () => {
    await deleteSubscription(id);
    toast.success(`Event subscription “${name}” deleted`);
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Delete “${name}”?`} action="Delete" danger onConfirm={remove}>
      <p>Events that are not delivered yet are lost. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
