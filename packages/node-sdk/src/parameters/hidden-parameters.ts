import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { type DisplayScope, isDisplayed, matchesWanted, valuesOf } from './display-options.ts';
import type { ParameterReport } from './parameter-report.ts';
import { isBlank, isExpression } from './written-value.ts';

/** The object in which a hidden parameter was found. */
interface HiddenScope extends DisplayScope {
  /** Described parameters of the object. */
  byName: ReadonlyMap<string, readonly NodeProperty[]>;
  /** Whether the author set a parameter of the object or of the top level. */
  isSet(name: string): boolean;
  onSave: boolean;
}

/** A condition on a parameter's visibility. */
interface Condition {
  /** The parameter that the condition tests. */
  name: string;
  values: readonly JsonValue[];
  /** The condition is met if the parameter has none of the values. */
  hides: boolean;
}

/**
 * Reports a hidden parameter whose value is not its default, because the author expects an effect.
 * Without `onSave`, reports it only if the parameters that hide it are not set. If they are set,
 * another choice may have replaced this one on purpose.
 */
export function reportHidden(
  described: readonly NodeProperty[],
  value: JsonValue,
  scope: HiddenScope,
  at: ParameterReport,
): void {
  if (isBlank(value) || described.some((property) => isDeepStrictEqual(property.default, value))) return;
  if (described.some((property) => isUndecided(property, scope))) return;
  const missing = fewestMissing(described, scope);
  if (scope.onSave || !missing.some(({ name }) => scope.isSet(rootOf(name)))) at.unused(missing.map(textOf));
}

const rootOf = (name: string) => name.replace(/^\//, '').split('.', 1)[0] ?? '';

/** The expression's result may make the parameter visible. */
function isUndecided({ displayOptions }: NodeProperty, scope: DisplayScope): boolean {
  const names = [displayOptions?.show, displayOptions?.hide].flatMap((side) => Object.keys(side ?? {}));
  return names.some((name) => valuesOf(name, scope).some(isExpression));
}

/** Several parameters may share a name; the parameter closest to being visible is used. */
function fewestMissing(described: readonly NodeProperty[], scope: HiddenScope, seen: readonly string[] = []): Condition[] {
  const ways = described.map((property) => missingFor(property, scope, seen));
  return ways.reduce((fewest, way) => (way.length < fewest.length ? way : fewest), ways[0] ?? []);
}

function missingFor(property: NodeProperty, scope: HiddenScope, seen: readonly string[]): Condition[] {
  const missing = conditionsOf(property)
    .filter(({ name, values, hides }) => matchesWanted(name, values, scope) === hides)
    .flatMap((condition) => causesOf(condition, scope, seen));
  return missing.filter((one, index) => missing.findIndex(({ name }) => name === one.name) === index);
}

function conditionsOf({ displayOptions: { show = {}, hide = {} } = {} }: NodeProperty): Condition[] {
  const listed = (side: Record<string, readonly JsonValue[]>, hides: boolean) =>
    Object.entries(side).map(([name, values]) => ({ name, values, hides }));
  return [...listed(show, false), ...listed(hide, true)].filter(({ name }) => name !== '@version');
}

/**
 * The conditions that the author must meet to meet `condition`: those that show its parameter, if
 * it is hidden itself, and `condition`, unless the parameter's default meets it.
 */
function causesOf(condition: Condition, scope: HiddenScope, seen: readonly string[]): Condition[] {
  const { name, values, hides } = condition;
  const deciding = scope.byName.get(name) ?? [];
  const isVisible = deciding.some(({ displayOptions }) => isDisplayed(displayOptions, scope));
  if (deciding.length === 0 || isVisible || seen.includes(name) || scope.isSet(name)) return [condition];
  const causes = fewestMissing(deciding, scope, [...seen, name]);
  const meets = (value: JsonValue) =>
    matchesWanted(name, values, { ...scope, siblings: { ...scope.siblings, [name]: value } }) !== hides;
  return deciding.some((property) => meets(property.default)) ? causes : [...causes, condition];
}

/** Maximum number of a condition's values in a message. */
const maxListed = 5;

function textOf({ name, values, hides }: Condition): string {
  const listed = values.slice(0, maxListed).map(wantedText);
  const wanted = [...listed, ...(values.length > maxListed ? ['…'] : [])].join(hides ? ' nor ' : ' or ');
  return `"${name.replace(/^\//, '')}" is ${hides && values.length > 1 ? 'neither ' : hides ? 'not ' : ''}${wanted}`;
}

const comparisons: Readonly<Record<string, string>> = {
  eq: '',
  not: 'not ',
  gt: 'greater than ',
  gte: 'at least ',
  lt: 'less than ',
  lte: 'at most ',
};

function wantedText(wanted: JsonValue): string {
  const condition = isJsonObject(wanted) ? wanted['_cnd'] : undefined;
  if (!isJsonObject(condition)) return JSON.stringify(wanted);
  const texts = Object.entries(condition).map(([kind, target]) =>
    kind === 'exists' ? 'set' : `${comparisons[kind] ?? `${kind} `}${JSON.stringify(target)}`,
  );
  return texts.join(' and ');
}
