import type { ExpressionRequest, GuestLeaf } from '../protocol.ts';
import { removeCodeGlobals } from './code-globals.ts';
import { evaluateScript } from './evaluate-script.ts';
import { callMethod, optionalMethod } from './extensions.ts';
import { ExpressionFailure, isEngineFailure, messageOf } from './failures.ts';
import type { GuestData } from './guest-data.ts';
import { stringify } from './json.ts';
import { type Cursor, defineAll, defineNames, enterItem, type Language } from './language.ts';
import { functionWithoutCall } from './messages.ts';
import { needs } from './needs.ts';
import { parameterView } from './parameter-view.ts';
import { refuseInternals } from './refusals.ts';

/** The host rewrites calls of extension methods to this name; see `extension-calls.ts`. */
const callName = '$callMethod';
const optionalName = '$optionalMethod';

/** A piece of a leaf: text, or a function that evaluates one `{{ }}`. */
type Piece = string | (() => unknown);

interface CompiledLeaf {
  pieces: Piece[];
  whole: boolean;
  mayMutate: boolean;
}

/** Defines the names that only expressions have. Call it once, before `evaluateExpressions`. */
export function defineExpressions(): void {
  removeCodeGlobals();
  defineAll({ [callName]: callMethod, [optionalName]: optionalMethod });
  refuseInternals();
}

/**
 * Evaluates each leaf for each item and returns an `ExpressionReply`. It is concatenated as text,
 * each piece made by a function that user text cannot reach.
 */
export function evaluateExpressions(
  { scope, leafCount, parameters, nodeParameters, firstItem, itemCount, maxOutputLength }: ExpressionRequest,
  leaves: readonly GuestLeaf[],
  { data, cursor }: Language,
): string {
  data.receive(scope);
  defineNames(data);
  const compiled = leaves.map(compileLeaf);
  const slotAt = (leaf: number) => slotFor(compiled[leaf] as CompiledLeaf, data, cursor);
  const open = new Set<number>();
  if (parameters.length > 0) defineAll({ $parameter: parameterView(scope.parameters, parameters, cursor, slotAt, open) });
  data.showParameters(nodeParameters, (written, own) => parameterView(written, own, cursor, slotAt, open));
  let slots = '';
  for (let itemIndex = firstItem; itemIndex < firstItem + itemCount; itemIndex += 1) {
    enterItem(data, cursor, itemIndex);
    slots += `${itemIndex === firstItem ? '' : ','}[${rowOf(compiled, leafCount, data, cursor)}]`;
    if (slots.length > maxOutputLength) return '{"overflow":true}';
  }
  if (needs.length > 0) return `{"needs":${stringify(needs)}}`;
  return `{"slots":[${slots}],"customData":${stringify(data.customData.changes() ?? null)}}`;
}

/** The slots of one item. */
function rowOf(leaves: readonly CompiledLeaf[], count: number, data: GuestData, cursor: Cursor): string {
  let row = '';
  for (let index = 0; index < count; index += 1) {
    if (index > 0) row += ',';
    row += slotFor(leaves[index] as CompiledLeaf, data, cursor);
  }
  return row;
}

function slotFor(leaf: CompiledLeaf, data: GuestData, cursor: Cursor): string {
  return leaf.mayMutate ? onCopies(data, cursor, () => slotOf(leaf)) : slotOf(leaf);
}

/** Each leaf reads its own copy, so that its changes do not affect the next leaf. */
function onCopies(data: GuestData, cursor: Cursor, evaluate: () => string): string {
  const before = data.copying;
  data.copying = true;
  enterItem(data, cursor, cursor.itemIndex);
  const slot = evaluate();
  data.copying = before;
  enterItem(data, cursor, cursor.itemIndex);
  return slot;
}

function compileLeaf({ parts, whole, mayMutate }: GuestLeaf): CompiledLeaf {
  return { pieces: parts.map((part) => ('text' in part ? part.text : compileSource(part.source))), whole, mayMutate };
}

/**
 * The parentheses turn a leading brace into an object literal; the line breaks keep a comment from
 * consuming them.
 */
function compileSource(source: string): () => unknown {
  try {
    return compileFunction(`(\n${source}\n)`);
  } catch (error) {
    return compileFirst(source) ?? failing(`the expression does not parse: ${messageOf(error)}`);
  }
}

/** Compiles the first of several statements, whose value is the expression's value. */
function compileFirst(source: string): (() => unknown) | undefined {
  try {
    return source.trim() === '' ? undefined : compileFunction(`${source.trimStart()}\n`);
  } catch {
    return undefined;
  }
}

function compileFunction(value: string): () => unknown {
  return evaluateScript(`(function () { return ${value} })`) as () => unknown;
}

function failing(message: string): () => unknown {
  return () => {
    throw new ExpressionFailure(message);
  };
}

/** A `GuestSlot` as JSON text. */
function slotOf({ pieces, whole }: CompiledLeaf): string {
  try {
    const [first] = pieces;
    if (whole && typeof first === 'function') return `[${stringify(segmentValue(first)) ?? ''}]`;
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : toPiece(segmentValue(piece));
    return `[${stringify(text)}]`;
  } catch (error) {
    return `{"message":${stringify(messageOf(error))}}`;
  }
}

/**
 * An error of the language, a library, or the author's own code makes the value undefined, as in a
 * read of undefined: authors rely on an empty value for data that is missing or malformed.
 */
function segmentValue(evaluate: () => unknown): unknown {
  try {
    return assertCalled(evaluate.call(globalThis));
  } catch (error) {
    if (error instanceof ExpressionFailure || isEngineFailure(error)) throw error;
    return undefined;
  }
}

/** Without this check, an uncalled method would silently be undefined. */
function assertCalled(value: unknown): unknown {
  if (typeof value === 'function') throw new ExpressionFailure(functionWithoutCall);
  return value;
}

/** A value as part of a text. NaN is treated as null, as it is outside of text. */
function toPiece(value: unknown): string {
  return Number.isNaN(value) ? '' : toText(value);
}

/** A value within text. Data whose own `toString` member is not a function is still printed. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(toText).join(',');
  if (typeof value !== 'object') return String(value);
  try {
    return String(value instanceof Date ? (value.toJSON() ?? value) : value);
  } catch {
    return '[object Object]';
  }
}
