import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { NodeProperty, NodePropertyGroup, NodeTypeDescription } from '../description.ts';
import type { NodeType } from '../node-type.ts';
import { checkAssignments, checkFilter } from './check-conditions.ts';
import { checkBoolean, checkChoice, checkLocator, checkNull, checkNumber, checkText } from './check-plain-value.ts';
import { type DisplayScope, isDisplayed } from './display-options.ts';
import { reportEmpty, reportMissing } from './empty-parameters.ts';
import { reportHidden } from './hidden-parameters.ts';
import { ParameterReport } from './parameter-report.ts';
import { isOfVersion, type NodeParameterValues, reportUnknownName } from './unknown-names.ts';
import { unsupportedUsesOf } from './unsupported-use.ts';
import { withDefaults } from './with-defaults.ts';
import { checkObjects, isEmptyCollection, isExpression, isLocator } from './written-value.ts';

/** A parameter that does not match its node type's description. */
export interface ParameterProblem {
  /**
   * `unknown`: no parameter has this name, so the value has no effect. `invalid`: the shape or
   * option does not exist, or the name is evidently meant for another parameter, so the node cannot
   * do what the author intended. `doubtful`: the type differs from the parameter's; the node
   * decides whether it can read the value. `unused`: the parameter is hidden, because other
   * parameters do not have the values that show it.
   */
  kind: 'unknown' | 'invalid' | 'doubtful' | 'unused';
  /** Dotted path from the top-level parameters: `conditions.conditions.0.operator`. */
  path: string;
  /**
   * A sentence that does not name the node: `the parameter "mode" has the value "x"; allowed: …`.
   */
  message: string;
}

/**
 * Compares parameters with a node type's description in one version. Skips expressions, resource
 * locators, options loaded from a service, and values of hidden parameters. Visits at most 5,000
 * values and reports at most 20 problems. Reports nothing if the parameters use something that the
 * type declares unsupported, because its own error is clearer.
 */
export function reviewParameters(
  { description, unsupported = [] }: Pick<NodeType, 'unsupported'> & { description: NodeParameterValues['description'] },
  parameters: JsonObject,
  typeVersion: number,
  { onSave = false }: CheckOptions = {},
): ParameterReview {
  if (unsupportedUsesOf(unsupported, parameters).length > 0) return { problems: [], containers: new Set() };
  const { properties } = description;
  const report = new ParameterReport();
  checkMembers(properties, parameters, { ...contextOf(properties, parameters, typeVersion, onSave), description }, report);
  return report;
}

/** The problems that `reviewParameters` finds. */
export function checkParameters(...args: Parameters<typeof reviewParameters>): readonly ParameterProblem[] {
  return reviewParameters(...args).problems;
}

/**
 * Problems of one parameter whose expressions are resolved. The others only determine whether it is
 * visible.
 */
export function checkResolvedParameter(
  { properties }: Pick<NodeTypeDescription, 'properties'>,
  name: string,
  parameters: JsonObject,
  typeVersion: number,
): readonly ParameterProblem[] {
  const report = ParameterReport.ofResolved();
  checkMembers(properties, parameters, contextOf(properties, parameters, typeVersion), report, [name]);
  return report.problems;
}

function contextOf(properties: readonly NodeProperty[], values: JsonObject, typeVersion: number, onSave = false): CheckContext {
  const parameters = withDefaults(properties, describedOf(properties, values), typeVersion);
  return { parameters, topLevel: values, typeVersion, onSave };
}

export interface ParameterReview {
  readonly problems: readonly ParameterProblem[];
  /**
   * Names of the top-level parameters in which expressions replace objects or lists, so
   * `checkResolvedParameter` has to check their values.
   */
  readonly containers: ReadonlySet<string>;
}

export interface CheckOptions {
  /**
   * Also reports what an author may still change: empty required parameters (doubtful: the node
   * fails or substitutes a value), and hidden parameters where another choice was made explicitly.
   */
  onSave?: boolean;
}

const containerTypes: ReadonlySet<NodeProperty['type']> = new Set([
  'collection',
  'fixedCollection',
  'filter',
  'assignmentCollection',
]);

type CheckContext = Pick<DisplayScope, 'parameters' | 'typeVersion'> & {
  onSave: boolean;
  /** The top-level parameters as written. */
  topLevel: JsonObject;
  /** The description, while its top-level parameters are checked. */
  description?: NodeParameterValues['description'] | undefined;
};

/** An object whose members are checked: the parameters, or an entry of a (fixed) collection. */
interface Members extends CheckContext, DisplayScope {
  values: JsonObject;
  byName: ReadonlyMap<string, readonly NodeProperty[]>;
  isSet(name: string): boolean;
}

/** Checks the described members of an object. */
function checkMembers(
  properties: readonly NodeProperty[],
  values: JsonObject,
  context: CheckContext,
  report: ParameterReport,
  names: readonly string[] = Object.keys(values),
): void {
  const byName = Map.groupBy(
    properties.filter((property) => isOfVersion(property, context.typeVersion)),
    ({ name }) => name,
  );
  const siblings = withDefaults(properties, describedOf(properties, values), context.typeVersion, context.parameters);
  const isSet = (name: string) => Object.hasOwn(values, name) || Object.hasOwn(context.topLevel, name);
  const members = { ...context, values, byName, siblings, isSet };
  for (const name of names) {
    if (report.isFull) return;
    checkMember(name, members, report.at(name));
  }
  const shownProperties = shownOf(members);
  if (context.description || values !== context.topLevel) reportEmpty(shownProperties, siblings, report);
  if (context.onSave) reportMissing(shownProperties, siblings, report);
}

function shownOf(members: Members, properties = [...members.byName.values()].flat()): NodeProperty[] {
  return properties.filter(({ displayOptions }) => isDisplayed(displayOptions, members));
}

function checkMember(name: string, members: Members, at: ParameterReport): void {
  const value = members.values[name] as JsonValue;
  const described = members.byName.get(name);
  if (!described) {
    reportUnknown(name, members, at);
    return;
  }
  const shownProperties = shownOf(members, [...described]);
  if (shownProperties.length === 0) reportHidden(described, value, members, at);
  if (isExpression(value)) {
    if (described.some(({ type }) => containerTypes.has(type))) at.returnsContainer(value);
  } else if (isLocator(value)) {
    checkLocator(value as JsonObject, described, at);
  } else {
    checkAgainstAny(shownProperties, value, { ...members, description: undefined }, at);
  }
}

function reportUnknown(name: string, members: Members, at: ParameterReport): void {
  const knownNames = [...members.byName.keys()];
  const { description, values } = members;
  if (description)
    reportUnknownName(name, { ...members, description, values, shownProperties: shownOf(members) }, knownNames, at);
  else at.unknown(knownNames);
}

/** The members with a description. Copying the others would be slow: there may be 100,000. */
function describedOf(properties: readonly NodeProperty[], values: JsonObject): JsonObject {
  const described: JsonObject = {};
  for (const { name } of properties) if (Object.hasOwn(values, name)) described[name] = values[name] as JsonValue;
  return described;
}

/** Several parameters may share a name; the value must match a visible one. */
function checkAgainstAny(
  shownProperties: readonly NodeProperty[],
  value: JsonValue,
  context: CheckContext,
  at: ParameterReport,
): void {
  const reports = shownProperties.map((property) => {
    const trial = at.trial();
    checkValue(property, value, context, trial);
    return property.acceptsAnyValue ? trial.asDoubts() : trial;
  });
  const best = reports.find(({ problems }) => problems.length === 0) ?? reports.at(-1);
  if (best) at.adopt(best);
}

function checkValue(property: NodeProperty, value: JsonValue, context: CheckContext, at: ParameterReport): void {
  if (value === null) {
    checkNull(property, at);
    return;
  }
  const many = property.typeOptions?.['multipleValues'] === true;
  switch (property.type) {
    case 'string':
    case 'dateTime':
      checkText(property, value, at);
      return;
    case 'number':
      if (!many) checkNumber(property, value, at);
      return;
    case 'boolean':
      if (!many) checkBoolean(value, at);
      return;
    case 'options':
      checkChoice(property, value, at);
      return;
    case 'multiOptions':
      if (!Array.isArray(value)) at.expected('a list', value);
      else at.each(value.slice(0, 1_000).keys(), (inner, index) => checkChoice(property, value[index] as JsonValue, inner));
      return;
    case 'collection':
      checkEach(value, many, at, (one, inner) => checkMembers(propertiesOf(property), one, context, inner));
      return;
    case 'fixedCollection':
      checkGroups(property, value, context, at);
      return;
    case 'filter':
      checkFilter(value, at);
      return;
    case 'assignmentCollection':
      checkAssignments(value, at);
      return;
    default:
  }
}

function checkGroups(property: NodeProperty, value: JsonValue, context: CheckContext, at: ParameterReport): void {
  if (!isJsonObject(value)) {
    if (!isEmptyCollection(value)) at.expected('an object', value);
    return;
  }
  const groups = (property.options ?? []) as readonly NodePropertyGroup[];
  at.each(Object.keys(value), (inner, name) => {
    const entries = value[name] as JsonValue;
    const group = groups.find((one) => one.name === name);
    if (!group) inner.notAMember(groups.map((one) => one.name));
    else if (entries === null) inner.expected('a list of objects', entries);
    else if (isExpression(entries)) inner.returnsContainer(entries);
    else {
      checkEach(entries, true, inner, (entry, deeper) => {
        checkMembers(group.values, entry, context, deeper);
        deeper.refuseStrangers(entry, group.values);
      });
    }
  });
}

/** Checks an object, or a list of objects if `many`. */
function checkEach(
  value: JsonValue,
  many: boolean,
  at: ParameterReport,
  check: (value: JsonObject, at: ParameterReport) => void,
): void {
  if (isJsonObject(value)) check(value, at);
  else if (many && Array.isArray(value)) checkObjects(value, at, check);
  else if (!isEmptyCollection(value)) at.expected(many ? 'a list of objects' : 'an object', value);
}

const propertiesOf = ({ options }: NodeProperty): readonly NodeProperty[] => (options ?? []) as readonly NodeProperty[];
