import { type Static, Type } from './schema-builder.ts';

/** The body of every error response. */
export const errorBody = Type.Object(
  {
    message: Type.String(),
    code: Type.String({ description: 'upper snake case, stable; see docs/errors.md' }),
    requestId: Type.String({ description: 'also in the header X-Request-Id and in the logs' }),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof errorBody>;
