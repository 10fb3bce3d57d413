import { hasRole, type Project } from '../../data/projects.ts';
import type { FormField } from '../../ui/form-model.ts';
import { SettingsCard } from '../../ui/settings-card.tsx';
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

export function ProjectSettings({ project }: { project: Project }) {
  const { id, type, name: label, weight, concurrency } = project;
  const save = async (changed: Record<string, unknown>) => {
    await updateProject(id, changed);
    toast.success('Project saved');
  };
  return (
    <SettingsCard
      title="Settings"
      fields={type === 'team' ? [name, ...limits] : limits}
      current={{ name: label, weight, concurrency: concurrency ?? undefined }}
      disabled={!hasRole(project, 'project:admin')}
      action="Save"
      onSave={save}
    />
  );
}
