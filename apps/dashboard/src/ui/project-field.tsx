import { useQuery } from '@tanstack/react-query';
import { hasRole, labelOf, projectList } from '../data/projects.ts';
import { SelectField } from './fields.tsx';

interface ProjectFieldProps {
  hint?: string;
  /** ID; empty: the personal project of the user. */
  value: string;
  onChange(id: string): void;
}

/** The project of a new object. Not shown if the personal project is the only choice. */
export function ProjectField({ hint, value, onChange }: ProjectFieldProps) {
  const projects = useQuery(projectList).data ?? [];
  const offered = projects.filter(
    (project) => project.id === value || (project.type === 'team' && hasRole(project, 'project:editor')),
  );
  if (offered.length === 0) return null;
  return (
    <SelectField
      label="Project"
      hint={hint}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: 'My personal project' },
        ...offered.map((project) => ({ value: project.id, label: labelOf(project) })),
      ]}
    />
  );
}
