import { CircleAlert } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';
import type { Credential } from '../../data/credentials.ts';
import { useUnsaved } from '../../data/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormFields } from '../../ui/form-fields.tsx';
import { changedValues, type FormValues, initialValues, problemsOf } from '../../ui/form-model.ts';
import { Card } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSubmit } from '../../ui/use-action.ts';
import { credentialFields, storedSecrets, toData, toValues } from './credential-fields.ts';
import { type CredentialType, fieldErrors, updateCredential } from './credential-queries.ts';
import { TestButton } from './test-button.tsx';

interface DataCardProps {
  credential: Credential;
  type: CredentialType;
  canUpdate: boolean;
}

/** Name and data. A secret that is stored shows as an empty field, which keeps it. */
export function DataCard({ credential, type, canUpdate }: DataCardProps) {
  const { id, data = {}, isUnreadable = false } = credential;
  const fields = useMemo(() => credentialFields(type.properties), [type]);
  const stored = useMemo(() => storedSecrets(data), [data]);
  /** `values`: the changed ones. */
  const [edit, setEdit] = useState<{ name?: string; values?: FormValues }>({});
  const current = { ...initialValues(fields), ...toValues(data) };
  const { name = credential.name } = edit;
  const values = { ...current, ...edit.values };
  const isDirty = edit.name !== undefined || edit.values !== undefined;
  useUnsaved(isDirty);
  const problems = edit.values === undefined && isUnreadable ? {} : problemsOf(fields, values, stored);
  const save = useSubmit(async () => {
    await updateCredential(id, {
      ...(edit.name !== undefined && { name }),
      ...(edit.values && { data: toData(values, stored) }),
    });
    toast.success('Credential saved');
    setEdit({});
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (edit.values === undefined || Object.keys(problems).length === 0) save.run();
  };
  const tested = edit.values && { data: toData(values, stored) };
  return (
    <form noValidate onSubmit={submit}>
      <Card title="Sign-in data">
        <div className="card-body">
          {isUnreadable && <Unreadable />}
          <TextField
            label="Name"
            required
            maxLength={128}
            value={name}
            disabled={!canUpdate}
            onChange={(next) => setEdit({ ...edit, name: next })}
          />
          <FormFields
            fields={fields}
            values={values}
            stored={stored}
            disabled={!canUpdate}
            onChange={(next) => setEdit({ ...edit, values: changedValues(next, current) })}
            errors={{ ...(isDirty && problems), ...fieldErrors(save.error) }}
          />
          {save.error !== undefined && <ErrorState error={save.error} />}
          {!canUpdate && <p className="muted">{whyFixed(credential)}</p>}
        </div>
        <div className="card-footer">
          {canUpdate && (
            <>
              <Button kind="primary" type="submit" busy={save.isBusy} disabled={!isDirty || name.trim() === ''}>
                Save
              </Button>
              {isDirty && (
                <Button kind="quiet" onClick={() => setEdit({})}>
                  Discard
                </Button>
              )}
            </>
          )}
          {type.testable && <TestButton test={{ id, type: type.name, ...tested }} />}
        </div>
      </Card>
    </form>
  );
}

function whyFixed({ isManaged }: Credential): string {
  return isManaged ? 'An external system manages this credential.' : 'Your key or your role in the project may not change it.';
}

function Unreadable() {
  return (
    <div className="notice" data-tone="error" role="alert">
      <CircleAlert size={16} />
      <p>
        The configured master keys cannot decrypt this credential. Start the service with the key that encrypted it, or enter
        the data again.
      </p>
    </div>
  );
}
