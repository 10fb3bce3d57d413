import { useQuery } from '@tanstack/react-query';
import { labelOf, projectList } from '../data/projects.ts';
import { Select } from './fields.tsx';

interface ProjectFilterProps {
  /** ID of the chosen project; absent or empty: all. */
  value: string | undefined;
  onChange(id: string): void;
}

/** A choice among all projects of a list. Not shown if there is only one project. */
export function ProjectFilter({ value = '', onChange }: ProjectFilterProps) {
  const { data: projects = [] } = useQuery(projectList);
  if (projects.length < 2 && value === '') return null;
  const options = projects.map((project) => ({ value: project.id, label: labelOf(project) }));
  return (
    <Select
      aria-label="Project"
      value={value}
      onChange={onChange}
      options={[{ value: '', label: 'All projects' }, ...options]}
    />
  );
}
