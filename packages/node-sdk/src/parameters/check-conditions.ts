import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { assignmentTypes, filterOperations, isOtherOperation, operandTypes, unconvertedType } from './filter-operations.ts';
import type { ParameterReport } from './parameter-report.ts';
import { checkObjects, isExpression } from './written-value.ts';

const filterMembers = ['conditions', 'combinator', 'options'];
const optionMembers = ['caseSensitive', 'leftValue', 'typeValidation', 'version'];
const choicesOf: Readonly<Record<string, readonly JsonValue[]>> = {
  combinator: ['and', 'or'],
  typeValidation: ['strict', 'loose'],
  caseSensitive: [true, false],
};
const conditionMembers = ['id', 'leftValue', 'rightValue', 'operator'];
const operatorMembers = ['type', 'operation'];
const assignmentMembers = ['id', 'name', 'type', 'value'];

const strangersIn = (object: JsonObject, members: readonly string[]): string[] =>
  Object.keys(object).filter((name) => !members.includes(name));

/**
 * A value of type `filter`: `{ options, conditions, combinator }`, where a condition is
 * `{ leftValue, rightValue, operator: { type, operation } }`.
 */
export function checkFilter(value: JsonValue, at: ParameterReport): void {
  checkLists(value, filterMembers, 'conditions', at, checkCondition);
  if (!isJsonObject(value)) return;
  checkMember(value, 'combinator', at);
  checkOptions(value['options'] ?? {}, at.at('options'));
}

function checkOptions(options: JsonValue, at: ParameterReport): void {
  if (isExpression(options)) {
    at.returnsContainer(options);
    return;
  }
  if (!isJsonObject(options)) {
    at.expected('an object', options);
    return;
  }
  at.each(strangersIn(options, optionMembers), (inner) => inner.unknown(optionMembers));
  checkMember(options, 'typeValidation', at);
  checkMember(options, 'caseSensitive', at);
  const { version = 1 } = options;
  if (typeof version !== 'number' && !isExpression(version)) at.at('version').expected('a number', version);
}

/** Checks a member with fixed options. If it is absent or null, its default applies. */
function checkMember(object: JsonObject, name: string, at: ParameterReport): void {
  const [value, choices] = [object[name] ?? null, choicesOf[name] ?? []];
  const isKnown = value === null || isExpression(value) || choices.some((one) => one === value || String(one) === value);
  if (!isKnown) at.at(name).notAllowed(value, choices);
}

/** A value of type `assignmentCollection`: `{ assignments: [{ name, type, value }] }`. */
export function checkAssignments(value: JsonValue, at: ParameterReport): void {
  checkLists(value, ['assignments'], 'assignments', at, checkAssignment);
}

function checkAssignment(assignment: JsonObject, at: ParameterReport): void {
  if (!('name' in assignment)) {
    at.notAllowed(assignment, ['name', 'type', 'value']);
    return;
  }
  at.each(strangersIn(assignment, assignmentMembers), (inner) => inner.unknown(assignmentMembers));
  const { type = 'string' } = assignment;
  const isKnown = isExpression(type) || type === unconvertedType || assignmentTypes.some((one) => one === type);
  if (!isKnown) at.at('type').notAllowed(type, assignmentTypes);
}

/** Checks an object that has only the members in `members`, one of which is a list of objects. */
function checkLists(
  value: JsonValue,
  members: readonly string[],
  list: string,
  at: ParameterReport,
  check: (entry: JsonObject, at: ParameterReport) => void,
): void {
  if (!isJsonObject(value)) {
    if (value !== '') at.expected('an object', value);
    return;
  }
  at.each(strangersIn(value, members), (inner) => inner.notAMember(members));
  const entries = value[list] === undefined ? [] : value[list];
  if (Array.isArray(entries)) checkObjects(entries, at.at(list), check);
  else if (isExpression(entries)) at.at(list).returnsContainer(entries);
  else at.at(list).expected('a list', entries);
}

function checkCondition(condition: JsonObject, at: ParameterReport): void {
  // A misnamed operand would be treated as empty.
  const lacksOperand = !('leftValue' in condition) || !('rightValue' in condition);
  at.each(strangersIn(condition, conditionMembers), (inner) => {
    if (lacksOperand) inner.notAMember(conditionMembers);
    else inner.unknown(conditionMembers);
  });
  const { operator } = condition;
  const inner = at.at('operator');
  if (operator === undefined || !isJsonObject(operator)) {
    inner.notAllowed(operator ?? null, operatorMembers);
    return;
  }
  const { type = 'any', operation } = operator;
  if (isExpression(type) || isExpression(operation)) return;
  // A condition without a type, or with type `any`, may use the object operations.
  const operandType = type === 'any' ? 'object' : operandTypes.find((one) => one === type);
  if (!operandType) inner.at('type').notAllowed(type, [...operandTypes, 'any']);
  else checkOperation(operation ?? null, filterOperations[operandType], inner.at('operation'));
}

function checkOperation(operation: JsonValue, allowed: readonly string[], at: ParameterReport): void {
  if (typeof operation === 'string' && allowed.includes(operation)) return;
  if (typeof operation === 'string' && isOtherOperation(operation)) at.neverMet(operation, allowed);
  else at.notAllowed(operation, allowed);
}
