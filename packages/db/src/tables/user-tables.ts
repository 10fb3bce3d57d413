import type { InstanceRole, ProjectRole } from '@sluice/domain';
import type { Generated } from 'kysely';

export interface UserTable {
  id: string;
  /** Lower case. */
  email: string;
  role: InstanceRole;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ProjectTable {
  id: string;
  name: string;
  /** Each user is `project:admin` of one personal project. */
  type: 'personal' | 'team';
  /** Owner of a personal project; null for a team project. */
  owner_id: string | null;
  /** Turns, relative to other projects, while more executions are queued than can start. */
  weight: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ProjectMemberTable {
  project_id: string;
  user_id: string;
  role: ProjectRole;
}
