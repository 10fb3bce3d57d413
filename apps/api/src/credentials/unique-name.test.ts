import { describe, expect, test } from '@jest/globals';
import { uniqueName } from './unique-name.ts';

describe('uniqueName', () => {
  test('is the base name if it is free', () => {
    expect(uniqueName('My credentials', new Set(['My credentials 2']))).toBe('My credentials');
  });

  test('uses the lowest free number from 2', () => {
    const usedNames = new Set(['Mine', 'Mine 2', 'Mine 4', 'Mine 1']);
    expect(uniqueName('Mine', usedNames)).toBe('Mine 3');
  });

  test('stays within 128 code points and never splits one', () => {
    const base = '🦊'.repeat(128);
    const name = uniqueName(base, new Set([base]));
    expect([...name]).toHaveLength(128);
    expect(name.isWellFormed()).toBe(true);
    expect(name.endsWith('🦊 2')).toBe(true);
  });
});
