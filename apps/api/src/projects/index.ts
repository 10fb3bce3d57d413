import { addMember } from './add-member.ts';
import { changeMember } from './change-member.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getProject } from './get-project.ts';
import { listMembers } from './list-members.ts';
import { listProjects } from './list-projects.ts';
import { removeMember } from './remove-member.ts';
import { updateProject } from './update-project.ts';

export const projectRoutes = [
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  listMembers,
  addMember,
  changeMember,
  removeMember,
];
