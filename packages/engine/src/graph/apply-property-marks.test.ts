import { describe, expect, test } from '@jest/globals';
import type { NodeProperty } from '@sluice/node-sdk';
import { applyPropertyMarks } from './apply-property-marks.ts';

const property = (name: string, more: Partial<NodeProperty> = {}): NodeProperty => ({
  displayName: name,
  name,
  type: 'string',
  default: '',
  ...more,
});

describe('applyPropertyMarks', () => {
  test('does not change unmarked parameters', () => {
    const parameters = { plain: '{{ 1 }}', list: '={{ 1 }},2' };
    expect(applyPropertyMarks(parameters, [property('plain')])).toBe(parameters);
  });

  test('makes a template an expression', () => {
    expect(applyPropertyMarks({ page: '<p>{{ 1 }}' }, [property('page', { isTemplate: true })])).toEqual({
      page: '=<p>{{ 1 }}',
    });
  });

  test('separates the text of a query from the values of its expressions', () => {
    const query = property('query', { expressionsAsValues: true });
    const parts = (text: string) => applyPropertyMarks({ query: text }, [query])['query'];
    expect(parts("=a = '{{ $json.a }}' or b{{ 1 }}={{ 2 }}")).toEqual([
      "a = '",
      '={{ $json.a }}',
      "' or b",
      '={{ 1 }}',
      '==',
      '={{ 2 }}',
      '',
    ]);
    expect(parts('={{ $json.query }}')).toEqual(['', '={{ $json.query }}', '']);
    expect(parts('=SELECT 1')).toEqual(['SELECT 1']);
    expect(parts('SELECT {{ 1 }}')).toBe('SELECT {{ 1 }}');
    const template = property('query', { expressionsAsValues: true, isTemplate: true });
    expect(applyPropertyMarks({ query: 'SELECT {{ 1 }}' }, [template])['query']).toEqual(['SELECT ', '={{ 1 }}', '']);
  });

  test('does not change an invalid template, which is reported when it is read', () => {
    const text = `={{ ${'{'.repeat(100_000)} }}`;
    expect(applyPropertyMarks({ query: text }, [property('query', { expressionsAsValues: true })])).toEqual({ query: text });
  });

  describe('a date that keeps its time zone', () => {
    const marked = (date: string) => applyPropertyMarks({ date }, [property('date', { keepsTimeZone: true })])['date'];

    test.each(['={{ $now }}', '={{ DateTime.now() }}', '={{ $json.at.toDateTime() }}'])('%s is wrapped', (date) => {
      expect(marked(date)).toMatch(/^=\{\{ .*zoneName.*\}\}$/s);
      expect(marked(date)).toContain(`((\n${date.slice(4, -3)}\n))`);
    });

    test.each(['{{ $now }}', '={{ $json.at }}', '=on {{ $now }}', '={{ $now }}{{ 1 }}', '={{ $now '])('%s is not', (date) => {
      expect(marked(date)).toBe(date);
    });
  });

  test('splits a list of expressions at commas outside braces', () => {
    const options = property('options', { type: 'collection', options: [property('values', { isExpressionList: true })] });
    const values = (text: string) => applyPropertyMarks({ options: { values: text, other: 1 } }, [options])['options'];
    expect(values('={{ $json.a }}, {{ [1, 2] }},x')).toEqual({ values: ['={{ $json.a }}', '={{ [1, 2] }}', 'x'], other: 1 });
    expect(values('={{ [$json.a, 2] }}')).toEqual({ values: '={{ [$json.a, 2] }}', other: 1 });
    expect(values('a,b')).toEqual({ values: 'a,b', other: 1 });
  });
});
