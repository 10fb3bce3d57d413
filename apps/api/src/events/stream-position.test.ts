import { describe, expect, test } from '@jest/globals';
import { executionStatuses } from '@sluice/domain';
import { formatPosition, parsePosition } from './stream-position.ts';

describe('stream positions', () => {
  test('without one, a stream begins at the beginning', () => {
    expect(parsePosition(undefined)).toEqual({ nodeRuns: 0 });
    expect(parsePosition('')).toEqual({ nodeRuns: 0 });
  });

  test.each(executionStatuses)('come back as they went; a terminal status is to be told again: %s', (status) => {
    const terminal = ['success', 'error', 'canceled', 'crashed'].includes(status);
    expect(parsePosition(formatPosition({ nodeRuns: 12, status }))).toEqual({ nodeRuns: 12, ...(terminal ? {} : { status }) });
  });

  test.each(['x', '1', '-1-new', '1-', '1-none', '1-new ', '9999999999-new', '__proto__'])('refuse %j', (text) => {
    expect(() => parsePosition(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
