import type { JsonObject } from '@sluice/domain';
import {
  BeyondHost,
  type Convert,
  convertArguments,
  Evaluator,
  HostBudget,
  type HostExpression,
  HostLanguage,
  type HostLimits,
  parseTemplate,
  TemplateError,
} from '@sluice/expressions';
import type {
  ArrowFunctionExpression,
  CallExpression,
  Expression,
  FunctionExpression,
  MemberExpression,
  SpreadElement,
} from 'acorn';
import { NodeOperationError } from '../errors/node-error.ts';
import { bytesAsText, callEach, callMethod, functions, memberOf, textOf } from './functions.ts';

/*
 * Expressions in the definition of a node or credential type that contain credential values, such
 * as `Bearer {{ $credentials.token }}`. They are evaluated here, next to the secret, instead of in
 * the sandbox. The language is small: literals, operators, members, a few text functions, and
 * functions over list elements. User text is never evaluated here.
 */

/** Limits of one string. */
const limits: HostLimits = { text: 1024 * 1024, work: 10_000, ms: Number.POSITIVE_INFINITY };

/**
 * Evaluates each `{{ }}` of a string and drops a leading `=`. Only own properties are read. Throws
 * a `NodeOperationError` for unsupported syntax.
 */
export function evaluateCredentialExpression(text: string, names: JsonObject): string {
  return partsOf(text, names).map(textOf).join('');
}

/**
 * Same as `evaluateCredentialExpression`, but a string that is a single `{{ }}` returns its value,
 * which may be an object or `undefined`.
 */
export function evaluateCredentialExpressionValue(text: string, names: JsonObject): unknown {
  const parts = partsOf(text, names);
  return parts.length === 1 ? parts[0] : parts.map(textOf).join('');
}

/** Text parts and values of expressions. */
function partsOf(text: string, names: JsonObject): unknown[] {
  const evaluation = new CredentialEvaluation(names);
  try {
    const parts = parseTemplate(text.startsWith('=') ? text.slice(1) : text);
    return parts.map((part) => ('text' in part ? part.text : evaluation.valueOf(part.source)));
  } catch (error) {
    if (error instanceof TemplateError) throw unknownTo(error.message);
    throw error;
  }
}

type CredentialExpression = HostExpression<CredentialOperation>;

type CredentialOperation =
  | { kind: 'name'; name: string }
  | { kind: 'regex'; pattern: string; flags: string }
  | { kind: 'member'; object: CredentialExpression; key: CredentialExpression }
  | { kind: 'function'; name: string; values: readonly CredentialExpression[] }
  | { kind: 'method'; object: CredentialExpression; name: string; values: readonly CredentialExpression[] }
  /** `list.map((element) => body)` and similar. */
  | { kind: 'each'; object: CredentialExpression; name: string; parameters: readonly string[]; body: CredentialExpression }
  /** `(() => body)()` */
  | { kind: 'immediate'; body: CredentialExpression }
  /** `Buffer.from(text).toString(encoding)` */
  | { kind: 'bytes'; text: CredentialExpression; encoding: CredentialExpression };

const language = new HostLanguage<CredentialOperation>(() => readOf);

function readOf(node: Expression, convert: Convert<CredentialOperation>): CredentialOperation | undefined {
  switch (node.type) {
    case 'Identifier':
      return node.name === 'undefined' ? undefined : { kind: 'name', name: node.name };
    case 'Literal':
      return node.regex ? { kind: 'regex', ...node.regex } : undefined;
    case 'ChainExpression':
      return readOf(node.expression, convert);
    case 'MemberExpression':
      return memberRead(node, convert);
    case 'CallExpression':
      return callRead(node, convert);
    default:
      return undefined;
  }
}

function memberRead(
  { object, property, computed }: MemberExpression,
  convert: Convert<CredentialOperation>,
): CredentialOperation | undefined {
  if (object.type === 'Super' || property.type === 'PrivateIdentifier') return undefined;
  const holder = convert(object);
  const key = computed ? convert(property) : keyOf(property);
  return holder && key && { kind: 'member', object: holder, key };
}

function keyOf(property: Expression): CredentialExpression | undefined {
  return property.type === 'Identifier' ? { kind: 'literal', value: property.name } : undefined;
}

function callRead(
  { callee, arguments: args }: CallExpression,
  convert: Convert<CredentialOperation>,
): CredentialOperation | undefined {
  if (isFunction(callee)) return args.length === 0 ? immediateRead(callee, convert) : undefined;
  const [first] = args;
  if (first && isFunction(first)) return args.length === 1 ? eachRead(callee, first, convert) : undefined;
  const values = convertArguments(args, convert);
  if (!values) return undefined;
  if (callee.type === 'Identifier') return { kind: 'function', name: callee.name, values };
  return callee.type === 'MemberExpression' ? methodRead(callee, values, convert) : undefined;
}

function methodRead(
  callee: MemberExpression,
  values: readonly CredentialExpression[],
  convert: Convert<CredentialOperation>,
): CredentialOperation | undefined {
  if (callee.computed || callee.property.type !== 'Identifier') return undefined;
  const { name } = callee.property;
  const bytes = name === 'toString' ? bufferText(callee.object) : undefined;
  if (bytes) {
    const text = convert(bytes);
    return text && { kind: 'bytes', text, encoding: values[0] ?? { kind: 'literal', value: 'utf8' } };
  }
  const object = callee.object.type === 'Super' ? undefined : convert(callee.object);
  return object && { kind: 'method', object, name, values };
}

type FunctionNode = ArrowFunctionExpression | FunctionExpression;

function isFunction(node: CallExpression['callee'] | SpreadElement): node is FunctionNode {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

function immediateRead(node: FunctionNode, convert: Convert<CredentialOperation>): CredentialOperation | undefined {
  const called = functionOf(node, convert);
  return called?.parameters.length === 0 ? { kind: 'immediate', body: called.body } : undefined;
}

function eachRead(
  callee: CallExpression['callee'],
  node: FunctionNode,
  convert: Convert<CredentialOperation>,
): CredentialOperation | undefined {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  const object = callee.object.type === 'Super' ? undefined : convert(callee.object);
  const called = functionOf(node, convert);
  return object && called && { kind: 'each', object, name: callee.property.name, ...called };
}

/** A function that returns one expression and has only plain parameters. */
function functionOf(
  { params, body, async, generator }: FunctionNode,
  convert: Convert<CredentialOperation>,
): { parameters: readonly string[]; body: CredentialExpression } | undefined {
  if (async || generator) return undefined;
  const parameters = params.flatMap((one) => (one.type === 'Identifier' ? [one.name] : []));
  const [only, ...more] = body.type === 'BlockStatement' ? body.body : [];
  const returned = only?.type === 'ReturnStatement' && more.length === 0 ? only.argument : undefined;
  const expression = body.type === 'BlockStatement' ? returned : body;
  const converted = expression && parameters.length === params.length ? convert(expression) : undefined;
  return converted && { parameters, body: converted };
}

/** The argument of `Buffer.from(…)`. */
function bufferText(node: MemberExpression['object']): Expression | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = node.callee;
  const isFrom = object.type === 'Identifier' && object.name === 'Buffer' && property.type === 'Identifier';
  const [text] = node.arguments;
  return isFrom && property.name === 'from' && text && text.type !== 'SpreadElement' ? text : undefined;
}

/** Evaluates a string's sources within one budget. */
class CredentialEvaluation {
  /** The running functions' parameters are own properties and shadow the names of the text. */
  #names: Readonly<Record<string, unknown>>;
  readonly #evaluator: Evaluator<CredentialOperation>;

  constructor(names: JsonObject) {
    this.#names = names;
    this.#evaluator = new Evaluator<CredentialOperation>(
      (read, evaluate) => this.#read(read, evaluate),
      new HostBudget(limits),
    );
  }

  valueOf(source: string): unknown {
    const expression = language.expressionOf(source);
    if (!expression) throw unknownTo(source);
    try {
      return this.#evaluator.valueOf(expression);
    } catch (error) {
      if (error instanceof BeyondHost) throw unknownTo(source);
      throw error;
    }
  }

  #read(read: CredentialOperation, evaluate: (expression: CredentialExpression) => unknown): unknown {
    switch (read.kind) {
      case 'name':
        if (!Object.hasOwn(this.#names, read.name)) throw unknownTo(read.name);
        return this.#names[read.name];
      case 'regex':
        return new RegExp(read.pattern, read.flags);
      case 'member':
        return memberOf(evaluate(read.object), textOf(evaluate(read.key)));
      case 'function': {
        const called = functions.get(read.name);
        if (!called) throw unknownTo(`${read.name}()`);
        return called(read.values[0] && evaluate(read.values[0]));
      }
      case 'each': {
        const { name, parameters, body } = read;
        return callEach(evaluate(read.object), name, (...values) => this.#within(parameters, values, () => evaluate(body)));
      }
      case 'immediate':
        return evaluate(read.body);
      case 'method':
        return callMethod(evaluate(read.object), read.name, read.values.map(evaluate));
      default:
        return bytesAsText(textOf(evaluate(read.text)), textOf(evaluate(read.encoding)));
    }
  }

  #within<T>(parameters: readonly string[], values: readonly unknown[], work: () => T): T {
    const outer = this.#names;
    this.#names = { ...outer, ...Object.fromEntries(parameters.map((name, index) => [name, values[index]])) };
    try {
      return work();
    } finally {
      this.#names = outer;
    }
  }
}

/** The message contains no values, only the type's source text. */
function unknownTo(source: string): NodeOperationError {
  return new NodeOperationError(`this cannot be evaluated with a credential: ${source.slice(0, 200)}`, {}, 'NOT_SUPPORTED');
}
