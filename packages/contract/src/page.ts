import { type TSchema, Type } from './schema-builder.ts';

const defaultPageSize = 100;
const maxPageSize = 250;

/** Query parameters of every paged list; spread into its query schema. */
export const pageQuery = {
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: '`nextCursor` of the previous page' })),
  limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: defaultPageSize }),
};

export const nextCursor = Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' });

export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), nextCursor });
}
