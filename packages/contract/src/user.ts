import { instanceRoles } from '@sluice/domain';
import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { messageKeyword, oneOf, storableText, timestamp, withExample } from './schema-helpers.ts';

/** A name and a domain around one `@`; only sending mail can prove that the address exists. */
const email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001f\\ud800-\\udfff]+@[^\\s@\\u0000-\\u001f\\ud800-\\udfff]+$',
  [messageKeyword]: 'must be an email address',
});
const role = oneOf(instanceRoles, { description: 'role in the whole instance' });

export const createUserBody = withExample(
  Type.Object({
    email,
    role,
    createApiKey: Type.Boolean({ default: false, description: 'create a first key, with every scope; see `rawApiKey`' }),
  }),
  { email: 'ada@example.com', role: 'member' },
);
export type CreateUserBody = Static<typeof createUserBody>;

export const updateUserBody = withExample(Type.Object({ email: Type.Optional(email), role: Type.Optional(role) }), {
  role: 'admin',
});
export type UpdateUserBody = Static<typeof updateUserBody>;

const userFields = {
  id: Type.String(),
  email: Type.String({ description: 'lower case' }),
  role,
  personalProjectId: Type.String(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const userView = Type.Object(userFields, { title: 'User' });
export type UserView = Static<typeof userView>;

export const createdUser = Type.Object({
  ...userFields,
  rawApiKey: Type.Optional(Type.String({ description: 'the first key, if requested; it is returned only once' })),
});

export const userPage = pageOf(userView);
export const listUsersQuery = Type.Object({ ...pageQuery });
export type ListUsersQuery = Static<typeof listUsersQuery>;

/** Query for deleting a user or a project. */
export const transferToQuery = Type.Object({
  transferTo: Type.Optional(
    Type.String({
      ...storableText,
      description: 'project that receives the workflows, credentials, and data tables',
      examples: ['Jc3Lw8EoPq5Xr1Hs'],
    }),
  ),
});
