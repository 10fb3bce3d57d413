import { type Static, Type } from './schema-builder.ts';
import { timestamp, withExample } from './schema-helpers.ts';

export const createSessionBody = withExample(
  Type.Object({
    token: Type.String({ minLength: 1, maxLength: 200, description: 'the part of a sign-in link after `#token=`' }),
  }),
  { token: 'hY3vQ9sKd0fWmZ7xTn2cRb5LpJg8aUe1VoXi6EwB' },
);
export type CreateSessionBody = Static<typeof createSessionBody>;

export const sessionView = Type.Object(
  {
    id: Type.String({ description: 'ends the session: `DELETE /sessions/{id}`' }),
    apiKey: Type.String({ description: 'the key of the session, with every scope of the user; it is returned only once' }),
    expiresAt: timestamp,
    user: Type.Object({ id: Type.String(), email: Type.String() }),
  },
  { title: 'Session' },
);
export type SessionView = Static<typeof sessionView>;
