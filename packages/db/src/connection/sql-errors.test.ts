import { describe, expect, test } from '@jest/globals';
import { isAppError } from '@sluice/domain';
import { isConnectionError, translateSqlError } from './sql-errors.ts';

const sqlError = (code: string) => Object.assign(new Error('could not extend file "base/16384/16593"'), { code });

describe.each([
  ['disk_full', '53100', false],
  ['out_of_memory', '53200', false],
  ['too_many_connections', '53300', true],
  ['admin_shutdown', '57P01', true],
  ['database_dropped', '57P04', true],
  ['transaction_timeout', '25P04', true],
  ['read_only_sql_transaction', '25006', true],
  ['connection_failure', '08006', true],
  ['query_canceled', '57014', false],
  ['lock_not_available', '55P03', false],
  ['deadlock_detected', '40P01', false],
])('%s', (_name, code, losesConnection) => {
  test('becomes a retryable error without details of the server', () => {
    const error = translateSqlError(sqlError(code));
    expect(isAppError(error) && [error.code, error.retryable]).toEqual(['SERVICE_UNAVAILABLE', true]);
    expect((error as Error).message).not.toContain('base/');
  });

  test(losesConnection ? 'ends the connection' : 'keeps the connection', () => {
    expect(isConnectionError(sqlError(code))).toBe(losesConnection);
  });
});

test('an unknown error is a defect and is unchanged', () => {
  const error = sqlError('42601');
  expect(translateSqlError(error)).toBe(error);
});
