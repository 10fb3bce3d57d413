import { type Convert, HostLanguage } from '@sluice/expressions';
import type { CallExpression, Expression, MemberExpression } from 'acorn';
import { forbiddenNames } from './forbidden-names.ts';
import { dateFunctionNames, dateMethodNames } from './host-dates.ts';
import { acceptsNothing, functionNames, makesList, methodNames } from './host-functions.ts';
import { hasComputedMembers, parsePath, type ScopePath, stepOf, withoutChain } from './parse-path.ts';
import type { ScopeExpression, ScopeRead } from './scope-read.ts';

/**
 * The expressions that the host evaluates: paths into the scope, literals, operators, and calls of
 * a closed set of functions. All others go to the guest.
 */
export const hostLanguage: HostLanguage<ScopeRead> = new HostLanguage(() => readOf);

/** Whether an expression is only a path. */
export function isPath(expression: ScopeExpression): expression is { kind: 'read'; read: ScopePath } {
  return expression.kind === 'read' && 'root' in expression.read;
}

function readOf(node: Expression, convert: Convert<ScopeRead>): ScopeRead | undefined {
  const path = parsePath(node);
  if (path) return path;
  const inner = withoutChain(node);
  if (inner.type === 'Identifier') return dateRead(inner.name);
  if (inner.type === 'CallExpression') return callOf(inner, convert);
  return inner.type === 'MemberExpression' ? memberOf(inner, convert) : undefined;
}

function dateRead(name: string): ScopeRead | undefined {
  if (name === '$now') return { date: 'now' };
  return name === '$today' ? { date: 'today' } : undefined;
}

function callOf({ callee, arguments: args, optional }: CallExpression, convert: Convert<ScopeRead>): ScopeRead | undefined {
  if (optional) return undefined;
  const values = args.flatMap((argument) => (argument.type === 'SpreadElement' ? [] : (convert(argument) ?? [])));
  if (values.length < args.length) return undefined;
  const called = functionName(callee);
  if (called === '$fromAI') return { toolArgument: values };
  if (functionNames.has(called) || dateFunctionNames.has(called)) return { called, values };
  return callee.type === 'MemberExpression' ? methodOf(callee, values, convert) : undefined;
}

/** `String` or `Math.round`; an empty string for any other expression. */
function functionName(callee: CallExpression['callee']): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier') return '';
  return callee.property.type === 'Identifier' ? `${callee.object.name}.${callee.property.name}` : '';
}

function methodOf(
  { object, property, computed, optional }: MemberExpression,
  values: readonly ScopeExpression[],
  convert: Convert<ScopeRead>,
): ScopeRead | undefined {
  if (computed || property.type !== 'Identifier' || object.type === 'Super') return undefined;
  if (!methodNames.has(property.name) && !dateMethodNames.has(property.name)) return undefined;
  const receiver = convert(withoutChain(object));
  if (!receiver || (acceptsNothing(property.name) && (optional || mayBeSkipped(receiver)))) return undefined;
  return { method: property.name, receiver, values, isOwnList: isOwnList(receiver) };
}

/** Whether an optional chain may skip the calls after this expression. */
function mayBeSkipped(expression: ScopeExpression): boolean {
  if (expression.kind !== 'read') return false;
  const { read } = expression;
  if ('holder' in read) return read.isOptional || mayBeSkipped(read.holder);
  return 'receiver' in read && mayBeSkipped(read.receiver);
}

function isOwnList(receiver: ScopeExpression): boolean {
  if (receiver.kind !== 'read') return false;
  const { read } = receiver;
  return makesList('method' in read ? read.method : 'called' in read ? read.called : '');
}

/** A member that is not part of a path. */
function memberOf(node: MemberExpression, convert: Convert<ScopeRead>): ScopeRead | undefined {
  if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') return undefined;
  const step = stepOf(node);
  if (step && forbiddenNames.has(String(step.key))) return undefined;
  const holder = convert(withoutChain(node.object));
  // A path with this member would be a path, if the host could read it.
  if (!holder || (isPath(holder) && (step || !hasComputedMembers(holder.read)))) return undefined;
  const key: ScopeExpression | undefined = step ? { kind: 'literal', value: step.key } : convert(node.property);
  return key && { holder, key, isOptional: node.optional };
}
