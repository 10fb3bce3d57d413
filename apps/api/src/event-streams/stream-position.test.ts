import { describe, expect, test } from '@jest/globals';
import { executionStatuses } from '@sluice/domain';
import { formatPosition, parsePosition } from './stream-position.ts';

describe('stream positions', () => {
  test('a stream without a position starts at the beginning', () => {
    expect(parsePosition(undefined)).toEqual({ nodeRuns: 0, started: false });
    expect(parsePosition('')).toEqual({ nodeRuns: 0, started: false });
  });

  test.each(executionStatuses)('survive a round trip, but a terminal status is sent again: %s', (status) => {
    const terminal = ['success', 'error', 'canceled', 'crashed'].includes(status);
    for (const started of [false, true]) {
      const position = { nodeRuns: 12, started };
      expect(parsePosition(formatPosition({ ...position, status }))).toEqual({ ...position, ...(terminal ? {} : { status }) });
    }
  });

  test.each(['x', '1', '-1-new', '1-', '1-none', '1-new ', '1S-new', '1ss-new', 's-new', '9999999999-new', '__proto__'])(
    'reject %j',
    (text) => {
      expect(() => parsePosition(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    },
  );
});
