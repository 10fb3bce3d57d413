import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnion,
  TUnsafe,
} from 'typebox';

export type { Static, TSchema };

/** Marks an optional property; not enumerable, so that it is not part of the JSON Schema. */
const optionalMark = '~optional';

/** JSON Schema keywords. */
type Options = object;

function schema<T extends TSchema>(fields: Options): T {
  return { ...fields } as unknown as T;
}

/**
 * The part of TypeBox's builder that the contract uses, with TypeBox's own types. Loading TypeBox's
 * runtime for these few functions would cost each process 24 MB and a tenth of a second; its types
 * cost nothing.
 */
export const Type = {
  String: (options: Options = {}): TString => schema({ type: 'string', ...options }),
  Number: (options: Options = {}): TNumber => schema({ type: 'number', ...options }),
  Integer: (options: Options = {}): TInteger => schema({ type: 'integer', ...options }),
  Boolean: (options: Options = {}): TBoolean => schema({ type: 'boolean', ...options }),
  Null: (): TNull => schema({ type: 'null' }),

  Literal: <const T extends TLiteralValue>(value: T): TLiteral<T> => schema({ type: typeof value, const: value }),

  Array: <T extends TSchema>(items: T, options: Options = {}): TArray<T> => schema({ type: 'array', items, ...options }),

  Union: <T extends TSchema[]>(anyOf: [...T], options: Options = {}): TUnion<T> => schema({ anyOf, ...options }),

  Optional: <T extends TSchema>(of: T): TOptional<T> =>
    Object.defineProperty({ ...of }, optionalMark, { value: true }) as TOptional<T>,

  /** Properties that the schema does not define are allowed. */
  Object<T extends TProperties>(properties: T, options: Options = {}): TObject<T> {
    const required = Object.keys(properties).filter((name) => !(optionalMark in (properties[name] as object)));
    return schema({ type: 'object', properties, ...(required.length > 0 && { required }), ...options });
  },

  /** Any JSON Schema, with the static type that it describes. */
  Unsafe: <T>(fields: Options): TUnsafe<T> => schema(fields),
};
