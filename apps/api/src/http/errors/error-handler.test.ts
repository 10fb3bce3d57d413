import { describe, expect, test } from '@jest/globals';
import { AppError, NotFoundError } from '@sluice/domain';
import { toAppError } from './error-handler.ts';

describe('toAppError', () => {
  test('passes through errors that callers may see', () => {
    const error = new NotFoundError('x');
    expect(toAppError(error)).toBe(error);
  });

  test.each([
    ['a bug', new TypeError('cannot read properties of undefined')],
    ['an SQL error', Object.assign(new Error('syntax error at or near "FROM"'), { code: '42601' })],
    ['a code that no caller should see', new AppError({ code: 'JOB_INVALID', message: 'secret', kind: 'defect' })],
    ['a thrown string', 'secret'],
    ['undefined', undefined],
  ])('hides %s', (_, thrown) => {
    expect(toAppError(thrown)).toMatchObject({ code: 'INTERNAL_ERROR', message: 'internal error', details: undefined });
  });

  test('copies no details of body parser errors', () => {
    const error = Object.assign(new SyntaxError('Unexpected token s in "secret"'), {
      status: 400,
      type: 'entity.parse.failed',
      body: 'secret',
    });
    expect(JSON.stringify(toAppError(error))).not.toContain('secret');
    expect(toAppError(error).message).toBe('the body is not valid JSON');
  });
});
