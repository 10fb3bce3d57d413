import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';

/** A use of parameters that a node type knows and does not serve: a run refuses it, and an import tells of it. */
export interface UnsupportedUse {
  /** Dotted path of the parameter that asks for it. */
  parameter: string;
  /** The values of it that do; absent: every one but nothing, false, and empty texts and lists. */
  values?: readonly JsonValue[];
  /** Other parameters, path → values of which each has to have one for it to count. */
  where?: Readonly<Record<string, readonly JsonValue[]>>;
  /** The subject of "… is not supported yet". */
  what: string;
  /** What the author can do. */
  hint: string;
}

/** Whether parameters ask for something. `read` gives them by their paths. */
export function asksFor(
  { parameter, values, where = {} }: UnsupportedUse,
  read: (path: string) => JsonValue | undefined,
): boolean {
  const value = read(parameter);
  if (values ? !values.some((wanted) => wanted === value) : isEmpty(value)) return false;
  return Object.entries(where).every(([path, wanted]) => wanted.some((one) => one === read(path)));
}

/** What a node that does not run asks for of what its type does not serve. Expressions are not looked into. */
export function unsupportedUsesOf(uses: readonly UnsupportedUse[], parameters: JsonObject): UnsupportedUse[] {
  const read = (path: string) => {
    const value = valueAt(parameters, path);
    return typeof value === 'string' && value.startsWith('=') ? undefined : value;
  };
  return uses.filter((use) => asksFor(use, read));
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === '[]') return true;
  return Array.isArray(value) && value.length === 0;
}

function valueAt(parameters: JsonObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? ownProperty(at, key) : undefined), parameters);
}
