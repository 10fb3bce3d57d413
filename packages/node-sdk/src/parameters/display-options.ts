import { isJsonObject, type JsonObject, type JsonValue, ownProperty, valueAt } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';

/** Values that a parameter's conditions refer to. */
export interface DisplayScope {
  /** Values of the enclosing object, or the top-level parameters. */
  siblings: JsonObject;
  /** The top-level parameters. */
  parameters: JsonObject;
  typeVersion: number;
}

/**
 * Whether a parameter is visible: all `show` conditions and no `hide` conditions are met. A name
 * with a leading `/` refers to the top level; any other to a sibling or the top level; `@version`
 * to the node's version. An expected value may be a condition, such as `{ _cnd: { gte: 2 } }`.
 */
export function isDisplayed(options: NodeProperty['displayOptions'], scope: DisplayScope): boolean {
  const isMet = ([name, wanted]: [string, readonly JsonValue[]]) => matchesWanted(name, wanted, scope);
  return Object.entries(options?.show ?? {}).every(isMet) && !Object.entries(options?.hide ?? {}).some(isMet);
}

/** Whether the parameter named by a condition has one of the wanted values. */
export function matchesWanted(name: string, wanted: readonly JsonValue[], scope: DisplayScope): boolean {
  const values = valuesOf(name, scope);
  return wanted.some((one) => values.some((value) => matches(value, one)));
}

/** Values of the parameter named by a condition: several for a list, null if it is absent. */
export function valuesOf(name: string, { siblings, parameters, typeVersion }: DisplayScope): (JsonValue | undefined)[] {
  if (name === '@version') return [typeVersion];
  const value = name.startsWith('/')
    ? parameterAt(parameters, name.slice(1))
    : (parameterAt(siblings, name) ?? parameterAt(parameters, name));
  const plain = isJsonObject(value) && value['__rl'] === true ? value['value'] : value;
  return [plain ?? null].flat();
}

/** The name itself may contain dots. */
function parameterAt(parameters: JsonObject, path: string): JsonValue | undefined {
  return ownProperty(parameters, path) ?? valueAt(parameters, path);
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

/**
 * Maximum length of a value on which a node type's pattern is tested, in characters: patterns may
 * backtrack, and values come from workflow authors.
 */
const maxTestedLength = 1_000;

function meetsText(value: string, name: string, target: string): boolean {
  if (name === 'startsWith') return value.startsWith(target);
  if (name === 'endsWith') return value.endsWith(target);
  if (name === 'includes') return value.includes(target);
  return name === 'regex' && new RegExp(target).test(value.slice(0, maxTestedLength));
}
