import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { NodeProperty, NodePropertyGroup, NodePropertyOption, NodeTypeDescription } from '../description.ts';
import { type DisplayScope, isDisplayed } from '../display-options.ts';
import type { NodeType } from '../node-type.ts';
import { unsupportedUsesOf } from '../unsupported-use.ts';
import { checkAssignments, checkFilter } from './check-conditions.ts';
import { ParameterReport } from './parameter-report.ts';
import { type GivenParameters, isOfVersion, reportUnknownName } from './unknown-names.ts';
import { withDefaults } from './with-defaults.ts';
import { checkObjects, isEmptyCollection, isExpression, isLocator } from './written-value.ts';

/** A parameter that does not match the description of its node type. */
export interface ParameterProblem {
  /**
   * `unknown`: no parameter has this name, so the value has no effect. `invalid`: the shape or
   * option does not exist, or the name is evidently meant for another parameter, so the node cannot do what the author intended. `doubtful`: the type
   * differs from the parameter's; the node decides whether it can read the value.
   */
  kind: 'unknown' | 'invalid' | 'doubtful';
  /** Dotted path from the top-level parameters: `conditions.conditions.0.operator`. */
  path: string;
  /**
   * A sentence that does not name the node: `the parameter "mode" has the value "x"; allowed: …`.
   */
  message: string;
}

/**
 * Compares parameters with the description of a node type in one version. Skips expressions,
 * resource locators, options loaded from a service, and hidden parameters. Visits at most 5,000
 * values and reports at most 20 problems. Reports none if the parameters request something that the
 * type declares unsupported: its own error is clearer.
 */
export function reviewParameters(
  { description, unsupported = [] }: Pick<NodeType, 'unsupported'> & { description: GivenParameters['description'] },
  parameters: JsonObject,
  typeVersion: number,
  { required = false }: CheckOptions = {},
): ParameterReview {
  if (unsupportedUsesOf(unsupported, parameters).length > 0) return { problems: [], containers: new Set() };
  const { properties } = description;
  const report = new ParameterReport();
  checkMembers(properties, parameters, { ...frameOf(properties, parameters, typeVersion, required), description }, report);
  return report;
}

/** The problems that `reviewParameters` finds. */
export function checkParameters(...given: Parameters<typeof reviewParameters>): readonly ParameterProblem[] {
  return reviewParameters(...given).problems;
}

/**
 * Problems of one parameter whose expressions are resolved. The others decide only whether it is
 * visible.
 */
export function checkResolvedParameter(
  { properties }: Pick<NodeTypeDescription, 'properties'>,
  name: string,
  parameters: JsonObject,
  typeVersion: number,
): readonly ParameterProblem[] {
  const report = ParameterReport.ofResolved();
  checkMembers(properties, parameters, frameOf(properties, parameters, typeVersion), report, [name]);
  return report.problems;
}

function frameOf(properties: readonly NodeProperty[], values: JsonObject, typeVersion: number, required = false): Frame {
  return { parameters: withDefaults(properties, describedOf(properties, values), typeVersion), typeVersion, required };
}

export interface ParameterReview {
  readonly problems: readonly ParameterProblem[];
  /**
   * Names of the top-level parameters in which expressions stand for objects or lists, so
   * `checkResolvedParameter` has to check their values.
   */
  readonly containers: ReadonlySet<string>;
}

export interface CheckOptions {
  /** Reports empty required parameters as doubtful: the node fails or substitutes a value. */
  required?: boolean;
}

const containerTypes: ReadonlySet<NodeProperty['type']> = new Set([
  'collection',
  'fixedCollection',
  'filter',
  'assignmentCollection',
]);

type Frame = Pick<DisplayScope, 'parameters' | 'typeVersion'> & {
  required: boolean;
  /** The description, while its top-level parameters are checked. */
  description?: GivenParameters['description'] | undefined;
};

/**
 * Checks the described members of an object: the parameters, a collection, or an entry of a fixed
 * collection.
 */
function checkMembers(
  properties: readonly NodeProperty[],
  values: JsonObject,
  frame: Frame,
  report: ParameterReport,
  names: readonly string[] = Object.keys(values),
): void {
  const byName = Map.groupBy(
    properties.filter((property) => isOfVersion(property, frame.typeVersion)),
    ({ name }) => name,
  );
  const siblings = withDefaults(properties, describedOf(properties, values), frame.typeVersion, frame.parameters);
  const isShown = ({ displayOptions }: NodeProperty) => isDisplayed(displayOptions, { ...frame, siblings });
  for (const name of names) {
    if (report.isFull) return;
    const value = values[name] as JsonValue;
    const described = byName.get(name);
    const at = report.at(name);
    if (!described) {
      const known = [...byName.keys()];
      if (!frame.description) at.unknown(known);
      else
        reportUnknownName(
          name,
          { ...frame, description: frame.description, given: values, shown: [...byName.values()].flat().filter(isShown) },
          known,
          at,
        );
    } else if (isExpression(value)) {
      if (described.some(({ type }) => containerTypes.has(type))) at.returnsContainer(value);
    } else if (!isLocator(value)) {
      const visible = described.filter(isShown);
      checkAgainstAny(visible, value, { ...frame, description: undefined }, at);
    }
  }
  if (frame.description) reportEmpty([...byName.values()].flat().filter(isShown), siblings, report);
  if (frame.required) reportMissing([...byName.values()].flat(), siblings, frame, report);
}

/** Skipped if there are other problems, which may be the reason. */
function reportEmpty(shown: readonly NodeProperty[], values: JsonObject, report: ParameterReport): void {
  if (report.problems.some(({ kind }) => kind !== 'unknown')) return;
  for (const { name, type, emptyHint } of shown) {
    if (!emptyHint) continue;
    const value = ownProperty(values, name);
    const entries = isJsonObject(value) && type === 'filter' ? [value['conditions'] ?? []] : Object.values(value ?? {});
    const hasEntries = isExpression(value) || entries.some((one) => isExpression(one) || hasMembers(one));
    if (!hasEntries) report.at(name).hasNoEntries(emptyHint);
  }
}

/** A list may have a million elements, which `Object.keys` would list. */
const hasMembers = (value: JsonValue): boolean =>
  Array.isArray(value) || typeof value === 'string' ? value.length > 0 : Object.keys(value ?? {}).length > 0;

function reportMissing(properties: readonly NodeProperty[], siblings: JsonObject, frame: Frame, report: ParameterReport): void {
  for (const { name, required, displayOptions } of properties) {
    const isEmpty = (ownProperty(siblings, name) ?? '') === '';
    if (required && isEmpty && isDisplayed(displayOptions, { ...frame, siblings })) report.at(name).missing();
  }
}

/** The members with a description. There may be 100,000 others, which would take long to copy. */
function describedOf(properties: readonly NodeProperty[], values: JsonObject): JsonObject {
  const described: JsonObject = {};
  for (const { name } of properties) if (Object.hasOwn(values, name)) described[name] = values[name] as JsonValue;
  return described;
}

/** One name may stand for several parameters; the value must match one that is visible. */
function checkAgainstAny(shown: readonly NodeProperty[], value: JsonValue, frame: Frame, at: ParameterReport): void {
  const reports = shown.map((property) => {
    const trial = at.trial();
    checkValue(property, value, frame, trial);
    return property.acceptsAnyValue ? trial.asDoubts() : trial;
  });
  const best = reports.find(({ problems }) => problems.length === 0) ?? reports.at(-1);
  if (best) at.adopt(best);
}

function checkValue(property: NodeProperty, value: JsonValue, frame: Frame, at: ParameterReport): void {
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
      if (!many && typeof value !== 'boolean' && value !== 'true' && value !== 'false') at.expected('true or false', value);
      return;
    case 'options':
      checkChoice(property, value, at);
      return;
    case 'multiOptions':
      if (!Array.isArray(value)) at.expected('a list', value);
      else at.each(value.slice(0, 1_000).keys(), (inner, index) => checkChoice(property, value[index] as JsonValue, inner));
      return;
    case 'collection':
      checkEach(value, many, at, (one, inner) => checkMembers(propertiesOf(property), one, frame, inner));
      return;
    case 'fixedCollection':
      checkGroups(property, value, frame, at);
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

/** Null is the default of a parameter. In place of conditions, it would match every item. */
function checkNull({ type }: NodeProperty, at: ParameterReport): void {
  if (type === 'filter') at.expected('an object', null);
  else if (type === 'fixedCollection' || type === 'assignmentCollection') at.doubts('an object', null);
}

/**
 * Some nodes read an object in place of a text, such as a file name made of several names. Each
 * rejects what it cannot read.
 */
function checkText(
  { type, typeOptions, acceptsList, isExpressionList }: NodeProperty,
  value: JsonValue,
  at: ParameterReport,
): void {
  const isList = acceptsList === true || isExpressionList === true || typeOptions?.['multipleValues'] === true;
  if (Array.isArray(value) && isList) return;
  if (type === 'dateTime' ? typeof value === 'object' || typeof value === 'boolean' : typeof value === 'object') {
    at.doubts(type === 'dateTime' ? 'a date' : 'a text', value);
  }
}

function checkNumber({ typeOptions = {} }: NodeProperty, value: JsonValue, at: ParameterReport): void {
  if (!isNumeric(value)) {
    at.expected('a number', value);
    return;
  }
  const { minValue, maxValue } = typeOptions;
  if (value === '') return;
  const tooSmall = typeof minValue === 'number' && Number(value) < minValue;
  const tooLarge = typeof maxValue === 'number' && Number(value) > maxValue;
  if (tooSmall || tooLarge) at.expected(`a number ${rangeOf(minValue, maxValue)}`, value);
}

function rangeOf(min: JsonValue | undefined, max: JsonValue | undefined): string {
  if (min === undefined) return `of ${max} or less`;
  return max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
}

function checkChoice({ options, typeOptions }: NodeProperty, value: JsonValue, at: ParameterReport): void {
  if (typeOptions && ('loadOptionsMethod' in typeOptions || 'loadOptions' in typeOptions)) return;
  if (isExpression(value) || value === '') return;
  const allowed = (options ?? []).flatMap((option) => ('value' in option ? [(option as NodePropertyOption).value] : []));
  const isAllowed = typeof value !== 'object' && allowed.some((one) => String(one) === String(value));
  if (!isAllowed) at.notAllowed(value, allowed);
}

function checkGroups(property: NodeProperty, value: JsonValue, frame: Frame, at: ParameterReport): void {
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
        checkMembers(group.values, entry, frame, deeper);
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

function isNumeric(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && (value === '' || Number.isFinite(Number(value))));
}
