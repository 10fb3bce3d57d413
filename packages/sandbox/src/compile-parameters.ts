import type { JsonObject, JsonValue } from '@sluice/domain';
import { CompiledTree } from './compiled-tree.ts';
import { ExpressionError } from './errors.ts';
import { forbiddenName, refusal } from './forbidden-names.ts';
import { maxDepth, maxSourceLength } from './limits.ts';
import { parseOperatorExpression } from './operator-expression.ts';
import type { ExpressionLeaf, HostLeaf, HostPart, ParameterTree, StaticTree } from './parameter-tree.ts';
import { parsePlainExpression } from './plain-expression.ts';
import type { GuestLeaf, TemplatePart } from './protocol.ts';
import { referencedData } from './referenced-data.ts';
import { parseTemplate } from './template.ts';

/** Finds and parses the expressions of a parameter tree. Throws an `ExpressionError` only for a tree that is nested too deeply. */
export function compileParameters(parameters: JsonObject): CompiledTree {
  const guestLeaves: GuestLeaf[] = [];
  const tree = compileValue(parameters, [], guestLeaves);
  const sources = guestLeaves.flatMap(({ parts }) => sourcesOf(parts));
  return new CompiledTree(tree, guestLeaves, hostLeavesOf(guestLeaves), referencedData(sources));
}

function compileValue(value: JsonValue, path: readonly string[], guestLeaves: GuestLeaf[]): ParameterTree {
  if (path.length > maxDepth)
    throw new ExpressionError({ message: 'parameters are nested too deeply', parameter: path[0] ?? '' });
  if (typeof value === 'string')
    return value.startsWith('=') ? compileText(value.slice(1), path.join('.'), guestLeaves) : fixed(value);
  if (typeof value !== 'object' || value === null) return fixed(value);
  return Array.isArray(value) ? compileArray(value, path, guestLeaves) : compileObject(value, path, guestLeaves);
}

function compileArray(array: JsonValue[], path: readonly string[], guestLeaves: GuestLeaf[]): ParameterTree {
  const elements = array.map((element, index) => compileValue(element, [...path, String(index)], guestLeaves));
  if (!elements.every(isStatic)) return { kind: 'array', elements };
  return fixed(elements.every(({ value }, index) => value === array[index]) ? array : elements.map(({ value }) => value));
}

function compileObject(object: JsonObject, path: readonly string[], guestLeaves: GuestLeaf[]): ParameterTree {
  const members = Object.entries(object).map(([key, member]) => {
    return { key, before: member, tree: compileValue(member, [...path, key], guestLeaves) };
  });
  const statics = members.flatMap(({ key, before, tree }) => (isStatic(tree) ? [{ key, before, value: tree.value }] : []));
  if (statics.length < members.length) return { kind: 'object', entries: new Map(members.map(({ key, tree }) => [key, tree])) };
  const unchanged = statics.every(({ before, value }) => before === value);
  return fixed(unchanged ? object : Object.fromEntries(statics.map(({ key, value }) => [key, value])));
}

function fixed(value: JsonValue): StaticTree {
  return { kind: 'static', value };
}

function isStatic(tree: ParameterTree): tree is StaticTree {
  return tree.kind === 'static';
}

function compileText(text: string, path: string, guestLeaves: GuestLeaf[]): ParameterTree {
  const parts = parseTemplate(text);
  const sources = sourcesOf(parts);
  if (sources.length === 0) return fixed(text);
  const message = refusalOf(sources);
  if (message !== undefined) return { kind: 'refused', path, message };
  return compileLeaf(parts, path, guestLeaves);
}

function refusalOf(sources: readonly string[]): string | undefined {
  for (const source of sources) {
    if (source.length > maxSourceLength) return `the expression is longer than ${maxSourceLength} characters`;
    const name = forbiddenName(source);
    if (name !== undefined) return refusal(name);
  }
  return undefined;
}

function compileLeaf(parts: TemplatePart[], path: string, guestLeaves: GuestLeaf[]): ExpressionLeaf {
  const whole = parts.length === 1;
  const plainParts = toParts(parts, parsePlainExpression);
  if (plainParts) return { kind: 'plain', path, parts: plainParts, whole };
  guestLeaves.push({ parts, whole, mayMutate: sourcesOf(parts).some(mayMutate) });
  return { kind: 'guest', path, leafIndex: guestLeaves.length - 1 };
}

/** `undefined` when one of them is more than operators: then the guest, once it is called, may as well have all. */
function hostLeavesOf(guestLeaves: readonly GuestLeaf[]): HostLeaf[] | undefined {
  const hostLeaves: HostLeaf[] = [];
  for (const { parts, whole } of guestLeaves) {
    const operatorParts = toParts(parts, parseOperatorExpression);
    if (!operatorParts) return undefined;
    hostLeaves.push({ parts: operatorParts, whole });
  }
  return hostLeaves;
}

/** `undefined` when one of the parts is more than `parse` takes: then the whole string is. */
function toParts<Expression>(
  parts: readonly TemplatePart[],
  parse: (source: string) => Expression | undefined,
): HostPart<Expression>[] | undefined {
  const hostParts: HostPart<Expression>[] = [];
  for (const part of parts) {
    if ('text' in part) hostParts.push(part);
    else {
      const expression = parse(part.source);
      if (!expression) return undefined;
      hostParts.push({ expression });
    }
  }
  return hostParts;
}

function sourcesOf(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => ('source' in part ? [part.source] : []));
}

const mutators = /\b(?:sort|reverse|splice|push|pop|shift|unshift|fill|copyWithin|assign|delete|set\w*|define\w*)\b/;
const assignment = /[^=!<>]=(?![=>])|[<>]{2}=|\+\+|--/;

/** Whether evaluating the source may change what it reads. Errs towards yes, which costs a copy. */
function mayMutate(source: string): boolean {
  return mutators.test(source) || assignment.test(source);
}
