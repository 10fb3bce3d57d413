import type { ProjectRole } from '../../data/projects.ts';

export const roleTexts: Record<ProjectRole, string> = {
  'project:viewer': 'Viewer',
  'project:editor': 'Editor',
  'project:admin': 'Admin',
};

export const roleOptions = [
  { value: 'project:viewer', label: 'Viewer: reads' },
  { value: 'project:editor', label: 'Editor: also changes and runs' },
  { value: 'project:admin', label: 'Admin: also administers' },
];
