import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { NodeProperty } from './description.ts';

/** What conditions on a parameter look at. */
export interface DisplayScope {
  /** Beside the parameter, or at the top where it stands there. */
  siblings: JsonObject;
  /** At the top. */
  parameters: JsonObject;
  typeVersion: number;
}

/**
 * Whether a parameter shows: all of `show` hold, and not one of `hide`. A name with `/` before it is meant from the top, any other beside the parameter or
 * at the top; `@version` is that of the node. A wanted value may be a condition, such as `{ _cnd: { gte: 2 } }`.
 */
export function isDisplayed(options: NodeProperty['displayOptions'], scope: DisplayScope): boolean {
  const holds = ([name, wanted]: [string, readonly JsonValue[]]): boolean => {
    const values = valuesOf(name, scope);
    return wanted.some((one) => values.some((value) => matches(value, one)));
  };
  return Object.entries(options?.show ?? {}).every(holds) && !Object.entries(options?.hide ?? {}).some(holds);
}

function valuesOf(name: string, { siblings, parameters, typeVersion }: DisplayScope): (JsonValue | undefined)[] {
  if (name === '@version') return [typeVersion];
  const value = name.startsWith('/')
    ? valueAt(parameters, name.slice(1))
    : (valueAt(siblings, name) ?? valueAt(parameters, name));
  const plain = isJsonObject(value) && value['__rl'] === true ? value['value'] : value;
  return [plain ?? null].flat();
}

function valueAt(from: JsonObject, path: string): JsonValue | undefined {
  const exact = ownProperty(from, path);
  if (exact !== undefined || !path.includes('.')) return exact;
  return path
    .split('.')
    .reduce<JsonValue | undefined>((at, key) => (isJsonObject(at) ? ownProperty(at, key) : undefined), from);
}

function matches(value: JsonValue | undefined, wanted: JsonValue): boolean {
  const condition = isJsonObject(wanted) ? wanted['_cnd'] : undefined;
  if (!isJsonObject(condition)) return value === wanted;
  return Object.entries(condition).every(([name, target]) => meets(value, name, target));
}

function meets(value: JsonValue | undefined, name: string, target: JsonValue): boolean {
  switch (name) {
    case 'eq':
      return value === target;
    case 'not':
      return value !== target;
    case 'between': {
      const { from = null, to = null } = isJsonObject(target) ? target : {};
      return meets(value, 'gte', from) && meets(value, 'lte', to);
    }
    case 'exists':
      return value !== undefined && value !== null && value !== '';
    default:
      return meetsOrder(value, name, target) || (typeof value === 'string' && meetsText(value, name, String(target)));
  }
}

function meetsOrder(value: JsonValue | undefined, name: string, target: JsonValue): boolean {
  const isNumber = typeof value === 'number' && typeof target === 'number';
  if (!isNumber && !(typeof value === 'string' && typeof target === 'string')) return false;
  if (name === 'gt') return value > target;
  if (name === 'gte') return value >= target;
  if (name === 'lt') return value < target;
  return name === 'lte' && value <= target;
}

/** Characters that a pattern of a node type is tested on. Patterns may backtrack, and values are the author's. */
const maxTestedLength = 1_000;

function meetsText(value: string, name: string, target: string): boolean {
  if (name === 'startsWith') return value.startsWith(target);
  if (name === 'endsWith') return value.endsWith(target);
  if (name === 'includes') return value.includes(target);
  return name === 'regex' && new RegExp(target).test(value.slice(0, maxTestedLength));
}
