import { type FormEvent, useState } from 'react';
import { useUnsaved } from '../data/unsaved.ts';
import { Button } from './button.tsx';
import { FormFields } from './form-fields.tsx';
import { changedValues, type FormField, type FormValues, problemsOf } from './form-model.ts';
import { Card } from './page.tsx';
import { ErrorState } from './states.tsx';
import { useSubmit } from './use-action.ts';

interface SettingsCardProps {
  title: string;
  fields: readonly FormField[];
  /** The stored values. */
  current: FormValues;
  disabled: boolean;
  /** Text of the button. */
  action: string;
  /** Receives the changed values; null: cleared. */
  onSave(changed: Record<string, unknown>): Promise<unknown>;
}

/** A form that shows its button once a value has changed. */
export function SettingsCard({ title, fields, current, disabled, action, onSave }: SettingsCardProps) {
  const [changed, setChanged] = useState<FormValues>({});
  const values = { ...current, ...changed };
  const problems = problemsOf(fields, values);
  const isDirty = Object.keys(changed).length > 0;
  useUnsaved(isDirty);
  const save = useSubmit(async () => {
    await onSave(Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value ?? null])));
    setChanged({});
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Card title={title}>
        <div className="card-body">
          <FormFields
            fields={fields}
            values={values}
            onChange={(next) => setChanged(changedValues(next, current))}
            errors={problems}
            disabled={disabled}
          />
          {save.error !== undefined && <ErrorState error={save.error} />}
        </div>
        {isDirty && (
          <div className="card-footer">
            <Button kind="primary" type="submit" busy={save.isBusy} disabled={Object.keys(problems).length > 0}>
              {action}
            </Button>
          </div>
        )}
      </Card>
    </form>
  );
}
