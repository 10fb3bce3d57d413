import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type ApiKey, createKey, type Scope, scopeList, updateKey } from './key-queries.ts';
import { ScopePicker } from './scope-picker.tsx';

const day = 86_400;
const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
];

/** Creates a key with chosen scopes, and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const scopes = useQuery(scopeList);
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('90');
  const [chosen, setChosen] = useState<Scope[]>();
  const picked = chosen ?? scopes.data ?? [];
  const create = async () => {
    const expiresAt = days === '' ? null : Math.floor(Date.now() / 1_000) + Number(days) * day;
    return (await createKey({ label: label.trim(), scopes: picked, expiresAt })).rawApiKey;
  };
  return (
    <SecretDialog
      title="New API key"
      size="medium"
      action="Create key"
      disabled={label.trim() === '' || picked.length === 0}
      createdTitle={`Key “${label.trim()}” created`}
      label="API key"
      onClose={onClose}
      onCreate={create}
    >
      <TextField
        label="Label"
        hint="Where the key is used, such as “CI”."
        required
        maxLength={128}
        value={label}
        onChange={setLabel}
      />
      <SelectField label="Expires" value={days} onChange={setDays} options={lifetimes} />
      <Loaded query={scopes}>{(all) => <ScopePicker all={all} chosen={picked} onChange={setChosen} />}</Loaded>
    </SecretDialog>
  );
}

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const scopes = useQuery(scopeList);
  const [label, setLabel] = useState(apiKey.label);
  const [chosen, setChosen] = useState<Scope[]>(apiKey.scopes);
  const save = async () => {
    await updateKey(apiKey.id, { label: label.trim(), scopes: chosen });
    toast.success('Key saved');
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Change API key"
      size="medium"
      action="Save"
      disabled={label.trim() === '' || chosen.length === 0}
      onConfirm={save}
    >
      <TextField label="Label" required maxLength={128} value={label} onChange={setLabel} />
      <Loaded query={scopes}>{(all) => <ScopePicker all={all} chosen={chosen} onChange={setChosen} />}</Loaded>
    </ConfirmDialog>
  );
}
