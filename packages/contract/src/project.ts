import { projectRoles } from '@sluice/domain';
import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { concurrencyLimit, nameText, nullable, oneOf, storableText, timestamp, withExample } from './schema-helpers.ts';

const role = oneOf(projectRoles, {
  description: 'ascending: viewers read, editors also change and run, admins also administer',
});

const concurrency = nullable(concurrencyLimit);
/** The project's share and limit of executions. */
const shares = {
  concurrency: Type.Optional(concurrency),
  weight: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'turns relative to other projects while more executions are queued than can start; default 1; only owners and admins of the instance change it',
    }),
  ),
};
export const createProjectBody = Type.Object({ name: nameText, ...shares });
export type CreateProjectBody = Static<typeof createProjectBody>;
export const updateProjectBody = Type.Object({ name: Type.Optional(nameText), ...shares });
export type UpdateProjectBody = Static<typeof updateProjectBody>;

export const projectView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: oneOf(['personal', 'team']),
    role: nullable(oneOf(projectRoles, { description: 'the caller’s role; null: not a member' })),
    weight: Type.Integer(),
    concurrency,
    createdAt: timestamp,
    updatedAt: timestamp,
  },
  { title: 'Project' },
);
export type ProjectView = Static<typeof projectView>;

export const projectPage = pageOf(projectView);
export const listProjectsQuery = Type.Object({ ...pageQuery });
export type ListProjectsQuery = Static<typeof listProjectsQuery>;

/** The new member, by `userId` or by `email`. */
export const addMemberBody = withExample(
  Type.Object({
    userId: Type.Optional(storableText),
    email: Type.Optional(storableText),
    role,
  }),
  { email: 'ada@example.com', role: 'project:editor' },
);
export type AddMemberBody = Static<typeof addMemberBody>;

export const changeMemberBody = Type.Object({ role });

export const memberView = Type.Object(
  { projectId: Type.String(), userId: Type.String(), email: Type.String(), role },
  { title: 'ProjectMember' },
);

export const memberList = Type.Array(memberView);
