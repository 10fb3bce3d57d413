import type { JsonObject, JsonValue } from '@sluice/domain';
import type { NodeProperty, NodePropertyOption } from '../description.ts';
import type { ParameterReport } from './parameter-report.ts';
import { isExpression, isUnmarkedLocator } from './written-value.ts';

/* Checks of values that contain no other parameters. Each adds its problems to the report. */

/** Strings that nodes read as a boolean; empty text is the default. */
const booleanTexts: ReadonlySet<unknown> = new Set(['true', 'false', '']);

export function checkBoolean(value: JsonValue, at: ParameterReport): void {
  if (typeof value !== 'boolean' && !booleanTexts.has(value)) at.expected('true or false', value);
}

/** Ways in which authors can identify a resource in the built-in nodes. */
const locatorModes = ['list', 'id', 'url', 'name', 'username'];

/** Package types define their own modes; their locators have the type `json`. */
export function checkLocator({ mode }: JsonObject, described: Iterable<NodeProperty>, at: ParameterReport): void {
  if (!mode || isExpression(mode) || [...described].some(({ type }) => type === 'json')) return;
  if (!locatorModes.some((one) => one === mode)) at.at('mode').notAllowed(mode, locatorModes);
}

/**
 * Null is treated as the parameter's default. In place of conditions, it would match every item.
 */
export function checkNull({ type }: NodeProperty, at: ParameterReport): void {
  if (type === 'filter') at.expected('an object', null);
  else if (type === 'fixedCollection' || type === 'assignmentCollection') at.doubts('an object', null);
}

/**
 * Some nodes accept an object in place of a string, such as a file name composed of several names.
 * Each node rejects objects that it cannot read.
 */
export function checkText(
  { type, typeOptions, acceptsList, isExpressionList }: NodeProperty,
  value: JsonValue,
  at: ParameterReport,
): void {
  const isList = acceptsList === true || isExpressionList === true || typeOptions?.['multipleValues'] === true;
  if (Array.isArray(value) && isList) return;
  if (typeOptions?.['searchListMethod'] !== undefined && isUnmarkedLocator(value)) return;
  if (type === 'dateTime' ? typeof value === 'object' || typeof value === 'boolean' : typeof value === 'object') {
    at.doubts(type === 'dateTime' ? 'a date' : 'a string', value);
  }
}

export function checkNumber({ typeOptions = {} }: NodeProperty, value: JsonValue, at: ParameterReport): void {
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

export function checkChoice({ options, typeOptions }: NodeProperty, value: JsonValue, at: ParameterReport): void {
  if (typeOptions && ('loadOptionsMethod' in typeOptions || 'loadOptions' in typeOptions)) return;
  if (isExpression(value) || value === '') return;
  const allowed = (options ?? []).flatMap((option) => ('value' in option ? [(option as NodePropertyOption).value] : []));
  const isAllowed = typeof value !== 'object' && allowed.some((one) => String(one) === String(value));
  if (!isAllowed) at.notAllowed(value, allowed);
}

function isNumeric(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && (value === '' || Number.isFinite(Number(value))));
}
