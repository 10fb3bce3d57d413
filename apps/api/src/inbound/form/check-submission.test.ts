import { describe, expect, test } from '@jest/globals';
import type { BinaryReference, FormField, JsonValue } from '@sluice/domain';
import { checkSubmission } from './check-submission.ts';

const text = (kind: 'text' | 'email' | 'number' | 'date' | 'textarea' | 'password', required = false): FormField => ({
  kind,
  name: 'f',
  label: 'F',
  required,
});
const choice = (kind: 'dropdown' | 'radio' | 'checkbox', more: object = {}): FormField => ({
  kind,
  name: 'f',
  label: 'F',
  required: false,
  options: ['a', 'b', 'c'],
  multiple: kind === 'checkbox',
  ...more,
});
const file = (more: object = {}): FormField => ({
  kind: 'file',
  name: 'My file',
  label: 'F',
  required: false,
  multiple: true,
  accept: [],
  ...more,
});
const stored = (fileName: string, mimeType = 'application/octet-stream'): BinaryReference => ({
  id: fileName,
  fileName,
  mimeType,
  fileSize: 1,
});

function check(field: FormField, values: string[] | undefined, files: BinaryReference[] = []) {
  const page = { title: '', description: '', buttonLabel: '', fields: [field] };
  return checkSubmission(page, { values: new Map(values ? [[0, values]] : []), files: new Map([[0, files]]) });
}

test.each<[FormField, string[] | undefined, JsonValue]>([
  [text('text'), undefined, ''],
  [text('text'), [' a '], ' a '],
  [text('email'), [' a@b.example '], 'a@b.example'],
  [text('number'), ['-1.5e3'], -1500],
  [text('number'), [''], null],
  [text('date'), ['2024-02-29'], '2024-02-29'],
  [text('date'), undefined, null],
  [choice('dropdown'), ['b'], 'b'],
  [choice('dropdown'), [''], null],
  [choice('dropdown', { multiple: true }), ['b', 'a'], ['b', 'a']],
  [choice('checkbox'), undefined, []],
  [choice('checkbox', { atLeast: 1, atMost: 2 }), ['a', 'c'], ['a', 'c']],
  [{ kind: 'hidden', name: 'f', value: 'own' }, undefined, 'own'],
  [{ kind: 'hidden', name: 'f', value: 'own' }, ['given'], 'given'],
  [{ kind: 'html', name: 'f', html: '<p>' }, ['given'], '<p>'],
])('field %j converts %j to %j', (field, values, expected) => {
  const checked = check(field, values);
  expect(checked.ok && checked.item.json['f']).toEqual(expected);
});

test.each<[FormField, string[] | undefined, RegExp]>([
  [text('text', true), undefined, /required/],
  [text('textarea', true), ['  \n'], /required/],
  [text('text'), ['a', 'b'], /several/],
  [text('email'), ['nobody'], /email/],
  [text('email'), ['a b@c'], /email/],
  [text('number'), ['0x10'], /number/],
  [text('number'), ['Infinity'], /number/],
  [text('number'), ['1e999'], /number/],
  [text('date'), ['2023-02-29'], /date/],
  [text('date'), ['1.2.2024'], /date/],
  [choice('radio'), ['d'], /not on offer/],
  [choice('radio'), ['constructor'], /not on offer/],
  [choice('radio', { required: true }), undefined, /required/],
  [choice('radio'), ['a', 'b'], /one choice/],
  [choice('checkbox'), ['a', 'a'], /twice/],
  [choice('checkbox', { atLeast: 2, atMost: 2 }), ['a'], /needs 2 choices/],
  [choice('checkbox', { atMost: 1 }), ['a', 'b'], /1 choices at most/],
  [file({ required: true }), undefined, /required/],
  [file(), ['aGVsbG8='], /as a file/],
])('field %j rejects %j', (field, values, message) => {
  const checked = check(field, values);
  expect(!checked.ok && checked.errors.get(0)).toMatch(message);
});

describe('files', () => {
  test('are named after their field and described in the item', () => {
    const checked = check(file(), undefined, [stored('a.txt'), stored('b.txt')]);
    if (!checked.ok) throw new Error('refused');
    expect(Object.keys(checked.item.binary)).toEqual(['My_file_0', 'My_file_1']);
    expect(checked.item.json['My file']).toEqual([
      { filename: 'a.txt', mimetype: 'application/octet-stream', size: 1 },
      { filename: 'b.txt', mimetype: 'application/octet-stream', size: 1 },
    ]);
  });

  test('of fields that differ only in punctuation have different names', () => {
    const fields = ['a?', 'a!'].map((name) => ({ ...file({ multiple: false }), name }) as FormField);
    const files = new Map([0, 1].map((index) => [index, [stored(`${index}`)]]));
    const checked = checkSubmission({ title: '', description: '', buttonLabel: '', fields }, { values: new Map(), files });
    expect(checked.ok && Object.keys(checked.item.binary)).toEqual(['a_', 'a__2']);
  });

  test.each<[string[], BinaryReference, boolean]>([
    [['.pdf'], stored('A.PDF'), true],
    [['pdf'], stored('a.pdf'), true],
    [['.pdf'], stored('a.pdf.exe'), false],
    [['image/*'], stored('a', 'image/png'), true],
    [['image/*'], stored('a', 'imagex/png'), false],
    [['image/png'], stored('a', 'image/png; a=b'), true],
    [['*/*'], stored('a'), true],
  ])('field that accepts %j accepts %j: %s', (accept, one, isAccepted) => {
    expect(check(file({ accept }), undefined, [one]).ok).toBe(isAccepted);
  });

  test('are a single value for a field that accepts one file', () => {
    expect(check(file({ multiple: false }), undefined, [stored('a'), stored('b')]).ok).toBe(false);
  });
});

test('names with a special meaning in JavaScript are treated as data', () => {
  const fields = ['__proto__', 'constructor', 'toString'].map((name) => ({ ...text('text'), name }) as FormField);
  const values = new Map(fields.map((_, index) => [index, [`${index}`]]));
  const checked = checkSubmission({ title: '', description: '', buttonLabel: '', fields }, { values, files: new Map() });
  expect(checked.ok && JSON.stringify(checked.item.json)).toBe('{"__proto__":"0","constructor":"1","toString":"2"}');
});
