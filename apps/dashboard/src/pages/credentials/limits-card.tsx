import type { Credential } from '../../data/credentials.ts';
import type { FormField } from '../../ui/form-model.ts';
import { SettingsCard } from '../../ui/settings-card.tsx';
import { toast } from '../../ui/toast.tsx';
import { updateCredential } from './credential-queries.ts';

const fields: readonly FormField[] = [
  {
    name: 'concurrency',
    label: 'Executions at once',
    hint: 'Further executions that use the credential wait.',
    kind: 'integer',
    min: 1,
    placeholder: 'No limit',
  },
  { name: 'ratePerSecond', label: 'Starts per second', kind: 'integer', min: 1, placeholder: 'No limit' },
  { name: 'isGlobal', label: 'Usable in every project', kind: 'boolean' },
];

/** Limits, and use in all projects. Changing `isGlobal` needs a higher role than the others. */
export function LimitsCard({ credential, canUpdate }: { credential: Credential; canUpdate: boolean }) {
  const { id, isGlobal, concurrency, ratePerSecond } = credential;
  const save = async (changed: Record<string, unknown>) => {
    await updateCredential(id, changed);
    toast.success('Limits saved');
  };
  return (
    <SettingsCard
      title="Limits and use"
      fields={fields}
      current={{ isGlobal, concurrency: concurrency ?? undefined, ratePerSecond: ratePerSecond ?? undefined }}
      disabled={!canUpdate}
      action="Save limits"
      onSave={save}
    />
  );
}
