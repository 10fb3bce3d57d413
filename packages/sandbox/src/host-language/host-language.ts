import { type Convert, convertArguments, HostLanguage } from '@sluice/expressions';
import type { CallExpression, Expression, MemberExpression, NewExpression } from 'acorn';
import { isInOptionalChain } from '../host/extension-calls.ts';
import { forbiddenNames } from './forbidden-names.ts';
import { callbackMethodNames } from './host-callbacks.ts';
import { dateFunctionNames, dateMethodNames } from './host-dates.ts';
import { acceptsNothing, functionNames, makesList, methodNames } from './host-functions.ts';
import { hostRegexOf, isRegexMethod, takesRegex } from './host-regex.ts';
import { jsDateMethodNames } from './js-dates.ts';
import { isFunction, LocalFunctions } from './local-functions.ts';
import {
  hasComputedMembers,
  type NamedMember,
  namedMember,
  parsePath,
  type ScopePath,
  stepOf,
  withoutChain,
} from './parse-path.ts';
import type { ScopeExpression, ScopeRead } from './scope-read.ts';

/**
 * The expressions that the host evaluates: paths into the scope, literals, operators, calls of a
 * closed set of functions, and functions that consist of these. All others go to the guest.
 */
export const hostLanguage: HostLanguage<ScopeRead> = new HostLanguage(() => {
  const variables: string[] = [];
  return (node, convert) => readOf(node, convert, variables);
});

/** Whether an expression is only a path. */
export function isPath(expression: ScopeExpression): expression is { kind: 'read'; read: ScopePath } {
  return expression.kind === 'read' && 'root' in expression.read;
}

/** @param variables the names of those that are visible to the node, by slot. */
function readOf(node: Expression, convert: Convert<ScopeRead>, variables: string[]): ScopeRead | undefined {
  const path = parsePath(node);
  if (path) return path;
  const inner = withoutChain(node);
  switch (inner.type) {
    case 'Identifier':
      return nameRead(inner.name, variables);
    case 'CallExpression':
      return callOf(inner, convert, new LocalFunctions(convert, variables));
    case 'NewExpression':
      return newDateOf(inner, convert);
    case 'MemberExpression':
      return memberOf(inner, convert);
    default:
      return undefined;
  }
}

function nameRead(name: string, variables: readonly string[]): ScopeRead | undefined {
  const local = variables.indexOf(name);
  if (local >= 0) return { local };
  if (name === '$now') return { date: 'now' };
  return name === '$today' ? { date: 'today' } : undefined;
}

function newDateOf({ callee, arguments: args }: NewExpression, convert: Convert<ScopeRead>): ScopeRead | undefined {
  const values = callee.type === 'Identifier' && callee.name === 'Date' ? convertArguments(args, convert) : undefined;
  return values && { newDate: values };
}

function callOf(
  { callee, arguments: args, optional }: CallExpression,
  convert: Convert<ScopeRead>,
  functions: LocalFunctions,
): ScopeRead | undefined {
  if (optional) return undefined;
  if (isFunction(callee)) return functions.immediate(callee, args);
  const member = namedMember(callee);
  const call = member && (callbackCallOf(member, args, convert, functions) ?? regexCallOf(member, args, convert));
  if (call) return call;
  const values = convertArguments(args, convert);
  if (!values) return undefined;
  const called = callee.type === 'Identifier' ? callee.name : member && libraryFunction(member);
  if (called === '$fromAI') return { toolArgument: values };
  if (called !== undefined && (functionNames.has(called) || dateFunctionNames.has(called))) return { called, values };
  return member && methodOf(member, values, convert);
}

/** `Math.round` */
function libraryFunction({ object, name }: NamedMember): string | undefined {
  return object.type === 'Identifier' ? `${object.name}.${name}` : undefined;
}

function callbackCallOf(
  { object, name }: NamedMember,
  [argument, ...more]: CallExpression['arguments'],
  convert: Convert<ScopeRead>,
  functions: LocalFunctions,
): ScopeRead | undefined {
  if (!callbackMethodNames.has(name) || more.length > 0) return undefined;
  const callback = argument && argument.type !== 'SpreadElement' ? functions.callback(argument) : undefined;
  const receiver = callback && convert(withoutChain(object));
  return receiver && { each: name, receiver, callback };
}

function regexCallOf(
  { object, name }: NamedMember,
  [first, ...rest]: CallExpression['arguments'],
  convert: Convert<ScopeRead>,
): ScopeRead | undefined {
  if (!first || first.type === 'SpreadElement') return undefined;
  const ofRegex = isRegexMethod(name) ? hostRegexOf(object) : undefined;
  const regex = ofRegex ?? (takesRegex(name) ? hostRegexOf(first) : undefined);
  const text = regex && convert(withoutChain(ofRegex ? first : object));
  const values = text && convertArguments(rest, convert);
  return values && { regex, name, text, values };
}

function methodOf(
  { object, name, optional }: NamedMember,
  values: readonly ScopeExpression[],
  convert: Convert<ScopeRead>,
): ScopeRead | undefined {
  if (![methodNames, dateMethodNames, jsDateMethodNames].some((names) => names.has(name))) return undefined;
  if (acceptsNothing(name) && (optional || isInOptionalChain(object))) return undefined;
  const receiver = convert(withoutChain(object));
  return receiver && { method: name, receiver, values, isOwnList: isOwnList(receiver) };
}

function isOwnList(receiver: ScopeExpression): boolean {
  if (receiver.kind !== 'read') return false;
  const { read } = receiver;
  if ('regex' in read) return true;
  if ('each' in read) return read.each === 'map' || read.each === 'filter';
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
