import { type TSchema, Type } from './schema-builder.ts';
import { storableText } from './schema-helpers.ts';

const defaultPageSize = 100;
const maxPageSize = 250;

/** Query parameters of every paged list; spread into its query schema. */
export const pageQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: '`nextCursor` of the previous page',
      examples: ['eyJraW5kIjoiZXhlY3V0aW9ucyIsImlkIjoiMTA0MiJ9'],
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxPageSize,
    default: defaultPageSize,
    description: 'maximum number of entries per page',
  }),
};

/** Filters that several lists have. */
export const nameFilter = Type.Optional(
  Type.String({
    ...storableText,
    description: 'only entries whose name contains this text, ignoring case',
    examples: ['invoice'],
  }),
);
export const projectFilter = Type.Optional(
  Type.String({ ...storableText, description: 'only entries of this project', examples: ['KhXb0Dp6ZyVt8uQa'] }),
);

export const nextCursor = Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' });

export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), nextCursor });
}
