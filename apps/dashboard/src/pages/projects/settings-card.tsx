import { type FormEvent, useState } from 'react';
import { hasRole, type Project } from '../../data/projects.ts';
import { useUnsaved } from '../../data/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { FormFields } from '../../ui/form-fields.tsx';
import { changedValues, type FormField, type FormValues, problemsOf } from '../../ui/form-model.ts';
import { Card } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { updateProject } from './project-queries.ts';

const name: FormField = { name: 'name', label: 'Name', kind: 'text', required: true };
const limits: readonly FormField[] = [
  {
    name: 'concurrency',
    label: 'Executions at once',
    hint: 'Further executions of the project wait.',
    kind: 'integer',
    min: 1,
    placeholder: 'No limit',
  },
  {
    name: 'weight',
    label: 'Weight',
    hint: 'Share of starts, relative to other projects, while executions are queued. Only owners and admins of the instance can change it.',
    kind: 'integer',
    required: true,
    min: 1,
  },
];

export function SettingsCard({ project }: { project: Project }) {
  const fields = project.type === 'team' ? [name, ...limits] : limits;
  const { concurrency, ...rest } = project;
  const current: FormValues = { name: rest.name, weight: rest.weight, concurrency: concurrency ?? undefined };
  const [changed, setChanged] = useState<FormValues>({});
  const values = { ...current, ...changed };
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const problems = problemsOf(fields, values);
  const isDirty = Object.keys(changed).length > 0;
  useUnsaved(isDirty);
  const canChange = hasRole(project, 'project:admin');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      await updateProject(project.id, Object.fromEntries(Object.entries(changed).map(([one, value]) => [one, value ?? null])));
      toast.success('Project saved');
      setChanged({});
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)}>
      <Card title="Settings">
        <div className="card-body">
          <FormFields
            fields={fields}
            values={values}
            onChange={(next) => setChanged(changedValues(next, current))}
            errors={problems}
            disabled={!canChange}
          />
          {state.error !== undefined && <ErrorState error={state.error} />}
        </div>
        {isDirty && (
          <div className="card-footer">
            <Button kind="primary" type="submit" busy={state.busy} disabled={Object.keys(problems).length > 0}>
              Save
            </Button>
          </div>
        )}
      </Card>
    </form>
  );
}
