import { describe, expect, test } from '@jest/globals';
import type { FormField } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import { authorHtml } from '../../pages/author-html.ts';
import { escapeHtml } from '../../pages/html.ts';
import { completionView, endingView, redirectView, waitingView } from '../../pages/notice-view.ts';
import { renderPage } from '../../pages/send-page.ts';
import { formView } from './form-view.ts';

const evil = `'"></style></textarea></title><script>alert(1)</script>`;
const label = { name: 'f', label: 'Label', required: true };
const nothing = { values: new Map<number, string[]>(), errors: new Map<number, string>() };
const page = (fields: FormField[], more: object = {}) => ({
  title: 'T',
  description: '',
  buttonLabel: 'Send',
  fields,
  ...more,
});
const rendered = (field: FormField, filled = nothing) => renderPage(formView(page([field]), 'key', filled), 'n');

const fields: FormField[] = [
  { kind: 'text', ...label },
  { kind: 'textarea', ...label },
  { kind: 'password', ...label },
  { kind: 'email', ...label },
  { kind: 'number', ...label },
  { kind: 'date', ...label },
  { kind: 'dropdown', ...label, options: ['a'], multiple: false },
  { kind: 'file', ...label, multiple: true, accept: ['.pdf'] },
];

describe('each control', () => {
  test.each(fields)('$kind has a label and refers to its error', (field) => {
    const text = rendered(field, { ...nothing, errors: new Map([[0, 'is wrong']]) });
    expect(text).toContain('<label for="field-0">Label');
    expect(text).toMatch(/id="field-0" name="field-0" required aria-invalid="true" aria-describedby="field-0-error"/);
    expect(text).toContain('<p class="error" id="field-0-error">is wrong</p>');
    expect(text).toContain('<a href="#field-0">Label: is wrong</a>');
    expect(text).toMatch(/<div class="errors" role="alert"/);
  });

  test.each(['radio', 'checkbox'] as const)('of %s is in a group with a legend', (kind) => {
    const text = rendered({ kind, ...label, options: ['a', 'b'], multiple: false, value: 'b' });
    expect(text).toMatch(/<fieldset class="field">\s*<legend>Label/);
    expect(text).toMatch(/value="b" checked/);
  });

  test('shows the submitted value, except for passwords', () => {
    const filled = { ...nothing, values: new Map([[0, ['mine']]]) };
    expect(rendered({ kind: 'text', ...label, value: 'first' }, filled)).toContain('value="mine"');
    expect(rendered({ kind: 'password', ...label }, filled)).not.toContain('mine');
    expect(rendered({ kind: 'textarea', ...label }, filled)).toContain('>\nmine</textarea>');
  });

  test('has an autocomplete purpose if its label names one', () => {
    expect(rendered({ kind: 'email', ...label })).toContain('autocomplete="email"');
    expect(rendered({ kind: 'text', ...label, label: 'First name' })).toContain('autocomplete="given-name"');
    expect(rendered({ kind: 'text', ...label, label: 'constructor' })).not.toContain('autocomplete');
  });
});

describe('text of users', () => {
  const hostile = { name: evil, label: evil, required: false, value: evil, placeholder: evil };
  const all: FormField[] = [
    ...(['text', 'textarea', 'password', 'email', 'number', 'date'] as const).map((kind) => ({ kind, ...hostile })),
    ...(['dropdown', 'radio', 'checkbox'] as const).map((kind) => ({ kind, ...hostile, options: [evil], multiple: false })),
    { kind: 'file', ...hostile, multiple: false, accept: [evil] },
    { kind: 'hidden', name: evil, value: evil },
    { kind: 'html', html: evil },
  ];

  test('is escaped everywhere', () => {
    const errors = new Map(all.map((_, index) => [index, evil]));
    const values = new Map(all.map((_, index) => [index, [evil]]));
    const view = formView({ title: evil, description: evil, buttonLabel: evil, fields: all, css: evil }, 'key', {
      values,
      errors,
    });
    const text = renderPage(view, 'n');
    expect(text).not.toMatch(/<script/i);
    expect(text.match(/<\/style>/g)).toHaveLength(2);
    expect(text.match(/<\/title>/g)).toHaveLength(1);
  });

  test('is escaped on pages without a form', () => {
    for (const view of [
      endingView({ kind: 'text', text: evil }),
      completionView({ kind: 'page', title: evil, message: evil, css: evil }),
    ])
      expect(renderPage(view)).not.toMatch(/<script/i);
  });

  test.each([
    ['<p onclick="x">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<a rel="noopener noreferrer nofollow" target="_blank">a</a>'],
    [
      '<a href="https://x.example/?a=1&b">a</a>',
      '<a href="https://x.example/?a=1&amp;b" rel="noopener noreferrer nofollow" target="_blank">a</a>',
    ],
    ['<h1>a</h1>', '<h2>a</h2>'],
    ['<img src=x onerror=alert(1)>a<iframe src=x></iframe><form><input></form>', 'a'],
    ['<style>p{}</style><svg><script>1</script></svg>a', 'a'],
    ['a\nb', 'a<br>b'],
    ['<b style="color:red" class="x" id="y">a', '<b>a</b>'],
    ['a < b & c', 'a &lt; b &amp; c'],
  ])('that is HTML is sanitized: %j becomes %j', (html, expected) => {
    expect(authorHtml(html).text).toBe(expected);
  });

  test('that is very long HTML is escaped, since sanitizing unclosed tags takes quadratic time', async () => {
    const show = () => expect(authorHtml('<b>'.repeat(400_000)).text).toBe('&lt;b&gt;'.repeat(400_000));
    expect(await longestBusy(show)).toBeLessThan(250); // sanitizing it would take a hundred seconds
  });
});

test('a page with hundreds of long HTML values escapes the values beyond its budget', async () => {
  const long: FormField = { kind: 'html', html: '<b>'.repeat(6_600) };
  const fields = Array.from({ length: 500 }, () => long);
  let text = '';
  const busy = await longestBusy(() => {
    text = formView(page(fields), 'key', nothing).body.text;
  });
  const escaping = await longestBusy(() => fields.map(() => escapeHtml('<b>'.repeat(6_600))));
  expect(busy).toBeLessThan(2 * escaping + 250); // sanitizing all values would take many times as long
  expect(text.match(/<div class="field">&lt;b&gt;/g)).toHaveLength(498);
});

test('a page links only to HTTP and HTTPS URLs', () => {
  expect(redirectView('https://x.example/"a').refresh).toEqual({ seconds: 0, url: 'https://x.example/%22a' });
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//x', '/path'])
    expect(redirectView(url).refresh).toBeUndefined();
});

test('a waiting page reloads without a script', () => {
  expect(renderPage(waitingView(1))).toContain('<meta http-equiv="refresh" content="1">');
});

test('values that are too long for a page are not echoed, so that other requests are not blocked', async () => {
  const text: FormField = { kind: 'text', ...label };
  const values = new Map([
    [0, ['"'.repeat(15_000_000)]],
    [1, ['mine']],
  ]);
  let view = '';
  const show = () => {
    view = renderPage(formView(page([text, text]), 'key', { ...nothing, values }), 'n');
  };
  expect(await longestBusy(show)).toBeLessThan(250);
  expect(view).toMatch(/name="field-0" required value=""/);
  expect(view).toMatch(/name="field-1" required value="mine"/);
});
