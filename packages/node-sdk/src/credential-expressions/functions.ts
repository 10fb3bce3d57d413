import { isJsonObject, ownProperty } from '@sluice/domain';
import { NodeOperationError } from '../errors/node-error.ts';

/** Functions without a receiver. */
export const functions: ReadonlyMap<string, (value: unknown) => unknown> = new Map<string, (value: unknown) => unknown>([
  ['String', textOf],
  ['Boolean', Boolean],
  ['encodeURIComponent', (value) => encodeURIComponent(textOf(value))],
  ['btoa', (value) => Buffer.from(textOf(value), 'latin1').toString('base64')],
]);

/**
 * Converts the bytes of UTF-8 text to another encoding. Throws `NodeOperationError` `NOT_SUPPORTED`
 * for an encoding unknown to Node.
 */
export function bytesAsText(text: string, encoding: string): string {
  if (Buffer.isEncoding(encoding)) return Buffer.from(text).toString(encoding);
  throw new NodeOperationError(`"${encoding}" is not an encoding`, {}, 'NOT_SUPPORTED');
}

/**
 * An own member of an object, or an element or the length of a list or text; otherwise `undefined`.
 */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return name === 'length' ? value.length : value[Number(name)];
  return isJsonObject(value) ? ownProperty(value, name) : undefined;
}

/** A value as text; objects as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Maximum length of a string that a type's pattern is matched against, in characters. Even simple
 * patterns (a slash at the end) take quadratic time.
 */
const maxMatched = 10_000;

/**
 * Calls a supported list method with a function from the text. Throws `NodeOperationError`
 * `NOT_SUPPORTED` for any other method.
 */
export function callEach(list: unknown, name: string, call: (element: unknown, index: number) => unknown): unknown {
  if (list === undefined || list === null) return undefined;
  const elements: readonly unknown[] = Array.isArray(list) ? list : [];
  switch (Array.isArray(list) ? name : '') {
    case 'map':
      return elements.map((element, index) => call(element, index));
    case 'filter':
      return elements.filter((element, index) => call(element, index));
    case 'find':
      return elements.find((element, index) => call(element, index));
    case 'some':
      return elements.some((element, index) => call(element, index));
    case 'every':
      return elements.every((element, index) => call(element, index));
    default:
      throw new NodeOperationError(`"${name}" is not supported in text that uses a credential`, {}, 'NOT_SUPPORTED');
  }
}

/**
 * Calls a supported string or list method. Throws `NodeOperationError` `NOT_SUPPORTED` for any
 * other method.
 */
export function callMethod(value: unknown, name: string, values: readonly unknown[]): unknown {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) {
    if (name === 'join') return value.map(textOf).join(textOf(values[0] ?? ','));
    if (name === 'includes') return value.includes(values[0]);
  }
  const text = textOf(value);
  const [first, second] = values;
  const pattern = first instanceof RegExp ? first : textOf(first);
  if (first instanceof RegExp && text.length > maxMatched)
    throw new NodeOperationError(`a value of more than ${maxMatched} characters cannot be matched with a pattern here`);
  switch (name) {
    case 'toString':
      return text;
    case 'trim':
      return text.trim();
    case 'toLowerCase':
      return text.toLowerCase();
    case 'toUpperCase':
      return text.toUpperCase();
    case 'replace':
      return text.replace(pattern, textOf(second));
    case 'replaceAll':
      return text.replaceAll(pattern, textOf(second));
    case 'split':
      return text.split(pattern);
    case 'startsWith':
      return text.startsWith(textOf(first));
    case 'endsWith':
      return text.endsWith(textOf(first));
    case 'includes':
      return text.includes(textOf(first));
    case 'slice':
    case 'substring':
      return text[name](Number(first ?? 0), second === undefined ? undefined : Number(second));
    case 'concat':
      return text + values.map(textOf).join('');
    default:
      throw new NodeOperationError(`"${name}" is not supported in text that uses a credential`, {}, 'NOT_SUPPORTED');
  }
}
