import { type ExecuteContext, isJsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, namesParameter } from './parameters.ts';

/*
 * Parameters that keep somebody out. Their defaults let everybody in: what is written, and says nothing, such as an expression of a variable that has
 * another name now, throws a `NodeOperationError`.
 */

/** A node that is asked what it listens to, or runs; as it is written, and as its expressions say. */
export type GuardSource = Pick<ExecuteContext, 'node' | 'parameter'>;

/** As `choiceParameter`, of the first item. */
export function guardChoice<T extends string>(
  source: GuardSource,
  path: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
): T {
  if (saysNothing(source, path)) assertLeftOut(source, path);
  return choiceParameter(source, path, 0, choices, fallback);
}

/** As `booleanParameter`, of the first item; left out: false. */
export function guardToggle(source: GuardSource, path: string): boolean {
  if (saysNothing(source, path)) assertLeftOut(source, path);
  return booleanParameter(source, path, 0, false);
}

/** As `namesParameter`, of the first item; none only where nobody has written any. */
export function guardNames(source: GuardSource, path: string): string[] {
  const names = namesParameter(source, path, 0);
  if (names.length === 0) assertLeftOut(source, path);
  return names;
}

/** Where an expression gives the whole group, as that says; where it gives no group, everything in it is written. */
function isWritten(source: GuardSource, path: string): boolean {
  const names = path.split('.');
  let value: JsonValue | undefined = source.node.parameters;
  for (const [depth, name] of names.entries()) {
    const isGiven = isExpression(value);
    if (isGiven) value = source.parameter<JsonValue>(names.slice(0, depth).join('.'), 0);
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
  throw new NodeOperationError(`the parameter "${path}" is written and says nothing, so that everybody would be let in`, {
    description: 'Check what the expression in it gives, or leave the parameter empty',
  });
}
