import { type FormEvent, useState } from 'react';
import type { Credential } from '../../data/credentials.ts';
import { useUnsaved } from '../../data/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { FormFields } from '../../ui/form-fields.tsx';
import { changedValues, type FormField, type FormValues, problemsOf } from '../../ui/form-model.ts';
import { Card } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
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

/** Limits, and use in all projects. */
export function LimitsCard({ credential, canUpdate }: { credential: Credential; canUpdate: boolean }) {
  const { id, isGlobal } = credential;
  const current: FormValues = {
    isGlobal,
    concurrency: credential.concurrency ?? undefined,
    ratePerSecond: credential.ratePerSecond ?? undefined,
  };
  const [changed, setChanged] = useState<FormValues>({});
  const values = { ...current, ...changed };
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const problems = problemsOf(fields, values);
  const isDirty = Object.keys(changed).length > 0;
  useUnsaved(isDirty);
  const change = (next: FormValues) => setChanged(changedValues(next, current));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      // Only what changed: changing `isGlobal` needs a higher role.
      await updateCredential(id, Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value ?? null])));
      toast.success('Limits saved');
      setChanged({});
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <Card title="Limits and use">
        <div className="card-body">
          <FormFields fields={fields} values={values} onChange={change} errors={problems} disabled={!canUpdate} />
          {state.error !== undefined && <ErrorState error={state.error} />}
        </div>
        {isDirty && (
          <div className="card-footer">
            <Button kind="primary" type="submit" busy={state.busy} disabled={Object.keys(problems).length > 0}>
              Save limits
            </Button>
          </div>
        )}
      </Card>
    </form>
  );
}
