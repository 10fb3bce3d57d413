import { type ExecuteContext, isJsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, namesParameter } from './parameters.ts';

/*
 * Reads parameters that restrict access. Their defaults allow everyone, so a written parameter
 * without a value, such as an expression with a renamed variable, throws a `NodeOperationError`.
 */

/** A node that runs or whose triggers are requested: its parameters as written and as resolved. */
export type GuardSource = Pick<ExecuteContext, 'node' | 'parameter'>;

/** Like `choiceParameter`, for the first item. */
export function guardChoice<T extends string>(
  source: GuardSource,
  path: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
): T {
  if (saysNothing(source, path)) assertLeftOut(source, path);
  return choiceParameter(source, path, 0, choices, fallback);
}

/** Like `booleanParameter`, for the first item; absent: false. */
export function guardToggle(source: GuardSource, path: string): boolean {
  if (saysNothing(source, path)) assertLeftOut(source, path);
  return booleanParameter(source, path, 0, false);
}

/** Like `namesParameter`, for the first item; empty only if no names are written. */
export function guardNames(source: GuardSource, path: string): string[] {
  const names = namesParameter(source, path, 0);
  if (names.length === 0) assertLeftOut(source, path);
  return names;
}

/**
 * Whether the parameter is written. If an expression yields the whole group, its result decides; if
 * the result is not a group, every member is considered written.
 */
function isWritten(source: GuardSource, path: string): boolean {
  const names = path.split('.');
  let value: JsonValue | undefined = source.node.parameters;
  for (const [depth, name] of names.entries()) {
    const isDynamic = isExpression(value);
    if (isDynamic) value = source.parameter<JsonValue>(names.slice(0, depth).join('.'), 0);
    else if (isEmpty(value)) return false;
    if (!isJsonObject(value)) return true;
    value = ownProperty(value, name);
  }
  return !isEmpty(value);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

export function isExpression(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.startsWith('=');
}

function saysNothing(source: GuardSource, path: string): boolean {
  return (source.parameter<JsonValue>(path, 0) ?? null) === null;
}

function assertLeftOut(source: GuardSource, path: string): void {
  if (!isWritten(source, path)) return;
  throw new NodeOperationError(`the parameter "${path}" has no value, which would allow every request`, {
    description: 'Check the result of its expression, or leave the parameter empty',
  });
}
