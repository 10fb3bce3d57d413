import { BaseError, UserError } from './errors.ts';

export function assert(condition: unknown, message = 'assertion failed'): asserts condition {
  if (!condition) throw new BaseError(message);
}

type Kind = 'string' | 'number' | 'boolean';

/** Throws `UserError` unless the parameter has one of the types. */
export function assertParamIsOfAnyTypes(name: string, value: unknown, kinds: readonly Kind[]): void {
  if (!kinds.includes(typeof value as Kind)) throw new UserError(`Parameter "${name}" is not ${kinds.join(' or ')}`);
}

export function assertParamIsString(name: string, value: unknown): void {
  assertParamIsOfAnyTypes(name, value, ['string']);
}

export function assertParamIsNumber(name: string, value: unknown): void {
  assertParamIsOfAnyTypes(name, value, ['number']);
}

export function assertParamIsBoolean(name: string, value: unknown): void {
  assertParamIsOfAnyTypes(name, value, ['boolean']);
}

export function assertParamIsArray(name: string, value: unknown, isOfKind: (element: unknown) => boolean): void {
  if (!Array.isArray(value)) throw new UserError(`Parameter "${name}" is not an array`);
  const wrong = value.findIndex((element) => !isOfKind(element));
  if (wrong !== -1) throw new UserError(`Parameter "${name}" has a wrong element at ${wrong}`);
}
