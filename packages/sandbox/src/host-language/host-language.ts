import { type Convert, type HostExpression, HostLanguage } from '@sluice/expressions';
import type { CallExpression, Expression, MemberExpression } from 'acorn';
import { type DateField, dateFunctionNames, dateMethodNames, isDateField } from './host-dates.ts';
import { acceptsNothing, functionNames, makesList, methodNames } from './host-functions.ts';
import { parsePath, type ScopePath, stepOf, withoutChain } from './parse-path.ts';

/** A call to one of the host's functions, such as `Math.round($json.n)`. */
interface FunctionCall {
  called: string;
  values: readonly ScopeExpression[];
}

/** A call to one of the host's methods, such as `$json.text.trim()`. */
interface MethodCall {
  method: string;
  receiver: ScopeExpression;
  values: readonly ScopeExpression[];
  /**
   * Whether the receiver is a list that is only accessible to this call, so that the method may
   * change it.
   */
  isOwnList: boolean;
}

/**
 * The length or an element of a call's result, or a field of a date: `$json.text.split(",")[0]`.
 */
interface MemberRead {
  key: 'length' | number | DateField;
  holder: ScopeExpression;
}

/** `$now` or `$today`. */
interface DateRead {
  date: 'now' | 'today';
}

export type ScopeRead = ScopePath | FunctionCall | MethodCall | MemberRead | DateRead;
export type ScopeExpression = HostExpression<ScopeRead>;

/**
 * The expressions that the host evaluates: paths into the scope, literals, operators, and calls of
 * a closed set of functions. All others go to the guest.
 */
export const hostLanguage: HostLanguage<ScopeRead> = new HostLanguage(readOf);

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
  return inner.type === 'MemberExpression' ? resultMemberOf(inner, convert) : undefined;
}

function dateRead(name: string): DateRead | undefined {
  if (name === '$now') return { date: 'now' };
  return name === '$today' ? { date: 'today' } : undefined;
}

function callOf({ callee, arguments: args, optional }: CallExpression, convert: Convert<ScopeRead>): ScopeRead | undefined {
  if (optional) return undefined;
  const values = args.flatMap((argument) => (argument.type === 'SpreadElement' ? [] : (convert(argument) ?? [])));
  if (values.length < args.length) return undefined;
  const called = functionName(callee);
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
): MethodCall | undefined {
  if (computed || property.type !== 'Identifier' || object.type === 'Super') return undefined;
  if (!methodNames.has(property.name) && !dateMethodNames.has(property.name)) return undefined;
  if (optional && acceptsNothing(property.name)) return undefined;
  const receiver = convert(withoutChain(object));
  return receiver && { method: property.name, receiver, values, isOwnList: isOwnList(receiver) };
}

function isOwnList(receiver: ScopeExpression): boolean {
  if (receiver.kind !== 'read') return false;
  const { read } = receiver;
  return makesList('method' in read ? read.method : 'called' in read ? read.called : '');
}

function resultMemberOf(node: MemberExpression, convert: Convert<ScopeRead>): MemberRead | undefined {
  const { key, object } = stepOf(node) ?? {};
  if (!object || (key !== 'length' && typeof key !== 'number' && !isDateField(key))) return undefined;
  const holder = convert(object);
  return holder && { key, holder };
}
