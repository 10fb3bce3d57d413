import { expect, test } from '@jest/globals';
import { errorFields } from './error-fields.ts';
import { createLogger } from './logger.ts';
import type { PlainLogger } from './plain-logger.ts';
import { type Scrubber, scrubbedLogger } from './scrubbed-logger.ts';
import { withFields } from './with-fields.ts';

const lines: { fields: Record<string, unknown>; message: string }[] = [];
const note = (fields: object, message: string) => lines.push({ fields: { ...fields }, message });
const logger: PlainLogger = { debug: note, info: note, warn: note, error: note };

const without = (text: string) => text.replaceAll('s3cret', '***');
const scrubber = (isEmpty = false): Scrubber => ({
  isEmpty,
  scrubText: without,
  scrubValue: (value) => JSON.parse(without(JSON.stringify(value))),
});

const written = (fields: object, message: string, secrets = scrubber()) => {
  lines.length = 0;
  scrubbedLogger(withFields(logger, { node: 'A' }), secrets).warn(fields, message);
  return lines[0];
};

test('a line has the fields of its logger and its own, without secrets', () => {
  expect(written({ url: '/?key=s3cret', deep: [{ s3cret: 1 }] }, 'asked with s3cret')).toEqual({
    fields: { node: 'A', url: '/?key=***', deep: [{ '***': 1 }] },
    message: 'asked with ***',
  });
});

test('an error is written in full, including its causes, without secrets', () => {
  const cause = Object.assign(new Error('refused s3cret'), { code: 'REFUSED' });
  const err = Object.assign(new TypeError('no s3cret', { cause }), { code: 'BROKEN', details: { key: 's3cret' } });
  const fields = errorFields(written({ err }, 'failed')?.fields['err']);
  expect(JSON.stringify(fields)).not.toContain('s3cret');
  expect(fields).toMatchObject({
    type: 'TypeError',
    message: 'no ***',
    code: 'BROKEN',
    details: { key: '***' },
    cause: { message: 'refused ***', code: 'REFUSED' },
  });
});

test('the code and the name of an error are written without secrets', () => {
  const err = Object.assign(new Error('failed'), { name: 's3cretError', code: 'no s3cret' });
  expect(errorFields(written({ err }, 'failed')?.fields['err'])).toMatchObject({ type: '***Error', code: 'no ***' });
});

test('values that are not JSON are omitted, and nothing is changed while there are no secrets', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect(written({ circular, call: () => 1, big: 1n }, 'm')?.fields).toEqual({
    node: 'A',
    circular: '[not JSON]',
    call: undefined,
    big: '[not JSON]',
  });
  expect(written({ circular }, 's3cret', scrubber(true))).toEqual({ fields: { node: 'A', circular }, message: 's3cret' });
});

const unreadable: [string, () => unknown][] = [
  ['has no prototype', () => Object.create(null)],
  ['is a symbol', () => Symbol('x')],
  ['is a BigInt', () => 1n],
  [
    'is a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable(new Error('gone'), {});
      revoke();
      return proxy;
    },
  ],
  ...['name', 'message', 'stack', 'code', 'details', 'cause', 'errors'].map((name): [string, () => unknown] => [
    `has a ${name} that throws`,
    () =>
      Object.defineProperty(new Error('readable'), name, {
        get() {
          throw new Error('not yours');
        },
      }),
  ]),
  ['has details that are not JSON', () => Object.assign(new Error('readable'), { details: { a: 1n }, code: Symbol('x') })],
];

test.each(unreadable)('an error that %s is still written, even with secrets and as a cause', (_, make) => {
  const out: string[] = [];
  const destination = { write: (line: string) => void out.push(line) };
  const real = createLogger({ name: 'test', level: 'info', destination });
  for (const err of [make(), new Error('outer', { cause: make() }), new AggregateError([make()])]) {
    for (const secrets of [scrubber(), scrubber(true)]) scrubbedLogger(real, secrets).error({ err }, 'failed');
  }
  expect(out.map((line) => JSON.parse(line))).toEqual(
    Array.from({ length: 6 }, () => expect.objectContaining({ msg: 'failed', err: expect.any(Object) })),
  );
});
