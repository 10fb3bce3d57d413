import { describe, expect, test } from '@jest/globals';
import { changedValues, type FormField, initialValues, problemsOf, shownFields } from './form-model.ts';

const fields: FormField[] = [
  { name: 'grant', label: 'Grant', kind: 'choice', initial: 'code' },
  { name: 'url', label: 'URL', kind: 'text', required: true, shownIf: { grant: ['code', 'pkce'] } },
  { name: 'extra', label: 'Extra', kind: 'boolean', initial: false, shownIf: { grant: ['code'] } },
  { name: 'body', label: 'Body', kind: 'json', shownIf: { extra: [true] } },
  { name: 'port', label: 'Port', kind: 'integer', min: 1, max: 10 },
  { name: 'secret', label: 'Secret', kind: 'secret', required: true },
];
const namesOf = (values: Record<string, unknown>) => shownFields(fields, values).map(({ name }) => name);

test('only defined initial values become values', () => {
  expect(initialValues(fields)).toEqual({ grant: 'code', extra: false });
});

test('clearing a value is a change, and restoring it is not', () => {
  expect(changedValues({ port: undefined, url: 'a', grant: 'code' }, { port: 5, url: '', grant: 'code' })).toEqual({
    port: undefined,
    url: 'a',
  });
});

describe('shown fields', () => {
  test('depend on the values, or else on the initial values', () => {
    expect(namesOf({})).toEqual(['grant', 'url', 'extra', 'port', 'secret']);
    expect(namesOf({ grant: 'client' })).toEqual(['grant', 'port', 'secret']);
    expect(namesOf({ extra: true })).toContain('body');
  });

  test('exclude fields whose condition depends on a hidden field', () => {
    expect(namesOf({ grant: 'pkce', extra: true })).not.toContain('body');
  });

  test('are found even if conditions depend on each other', () => {
    const circle: FormField[] = [
      { name: 'a', label: 'A', kind: 'boolean', shownIf: { b: [true] } },
      { name: 'b', label: 'B', kind: 'boolean', shownIf: { a: [true] } },
    ];
    expect(shownFields(circle, { a: true, b: true })).toHaveLength(2);
    expect(shownFields(circle, {})).toHaveLength(0);
  });
});

describe('problems', () => {
  test('are missing values of shown fields, except for stored ones', () => {
    expect(Object.keys(problemsOf(fields, { grant: 'code' }))).toEqual(['url', 'secret']);
    expect(problemsOf(fields, { grant: 'client' }, new Set(['secret']))).toEqual({});
  });

  test.each([
    [0, 'This must be at least 1.'],
    [11, 'This must be at most 10.'],
    [1.5, 'This must be a whole number.'],
    [10, undefined],
  ])('of the number %p: %p', (port, problem) => {
    expect(problemsOf(fields, { port })['port']).toBe(problem);
  });
});
