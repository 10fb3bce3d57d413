import { describe, expect, test } from '@jest/globals';
import { assertMatches, etagOf } from './etag.ts';

describe('If-Match', () => {
  test.each([undefined, '*', etagOf('1'), `W/${etagOf('1')}`, `"0", ${etagOf('1')}`])('%p allows the change', (header) => {
    expect(() => assertMatches(header, '1')).not.toThrow();
  });
  test.each(['', '"2"', '1', 'nonsense'])('%p is a conflict', (header) => {
    expect(() => assertMatches(header, '1')).toThrow(expect.objectContaining({ code: 'VERSION_CONFLICT' }));
  });
});
