import { describe, expect, test } from '@jest/globals';
import { AppError, errorMessage, isAppError, NotFoundError, toErrorRecord, ValidationError } from './errors.ts';

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {});
  revoke();
  return proxy;
};
const throwing = (name: string) =>
  Object.defineProperty(new Error('readable'), name, {
    get() {
      throw new Error('not yours');
    },
  });
const unread = 'an error without a message';

const errorOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

const thrown: [string, () => unknown, string][] = [
  ['a string', () => 'oops', 'oops'],
  ['nothing', () => undefined, 'failed without a message'],
  ['a symbol', () => Symbol('sign'), 'Symbol(sign)'],
  ['a BigInt', () => 1n, '1'],
  ...[() => encodeURIComponent('\ud83d'), () => decodeURIComponent('%zz')].map((work): [string, () => unknown, string] => [
    'an address that cannot be written or read',
    () => errorOf(work),
    'an address has half a character, or a "%" without two hexadecimal digits',
  ]),
  ['an object without a prototype', () => Object.create(null), unread],
  ['an object whose text throws', () => ({ toString: () => Promise.reject }), unread],
  ['a proxy that is revoked', revoked, unread],
  ['a message that throws', () => throwing('message'), unread],
  ['a message that cannot become a string', () => Object.assign(new Error(), { message: Object.create(null) }), unread],
  ['a message that is a symbol', () => Object.assign(new Error(), { message: Symbol('sign') }), 'Symbol(sign)'],
  ...['name', 'code', 'kind', 'retryable', 'details', 'description', 'itemIndex', 'nodeName', 'stack'].map(
    (name): [string, () => unknown, string] => [`a ${name} that throws`, () => throwing(name), 'readable'],
  ),
];

describe('any thrown value', () => {
  test.each(thrown)('has a message and a record: %s', (_, make, message) => {
    const error = make();
    expect(errorMessage(error)).toBe(message);
    expect(isAppError(error)).toBe(false);
    expect(toErrorRecord(error).message).toBe(message);
    expect(() => JSON.stringify(toErrorRecord(error))).not.toThrow();
  });

  test('is recognized as an AppError by its own properties only', () => {
    expect(isAppError(new NotFoundError('none'))).toBe(true);
    const alike = Object.defineProperties(new Error('x'), {
      code: { get: () => 'NOT_FOUND' },
      kind: { value: 'expected' },
      retryable: { value: false },
    });
    expect(isAppError(alike)).toBe(false);
  });

  test('keeps only details that JSON can represent', () => {
    const of = (details: unknown) =>
      toErrorRecord(new AppError({ code: 'NOT_FOUND', message: 'none', details: details as string })).details;
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect([of({ a: 1 }), of(['a']), of(circular), of({ a: 1n }), of(revoked())]).toEqual([
      { a: 1 },
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('a validation error always has a path, for any arguments', () => {
  const issues = [{ path: '/a', message: 'x' }];
  expect(new ValidationError('m', issues).details).toEqual(issues);
  expect(new ValidationError('m', '/b').details).toEqual([{ path: '/b', message: 'm' }]);
  expect(new ValidationError('m', []).details).toEqual([{ path: '', message: 'm' }]);
});
