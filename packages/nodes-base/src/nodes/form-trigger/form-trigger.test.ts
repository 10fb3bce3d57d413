import { describe, expect, test } from '@jest/globals';
import type { FormField, FormTrigger, JsonObject, WorkflowNode } from '@sluice/node-sdk';
import { fakeContext, runNode } from '../../testing/fake-context.ts';
import { formTrigger } from './form-trigger.ts';
import { formTriggerSpec } from './form-trigger-spec.ts';

function specOf(parameters: JsonObject, typeVersion = 2.5, more: Partial<WorkflowNode> = {}): FormTrigger {
  const { node, parameter } = fakeContext({ parameters });
  const workflow = { id: 'w', name: 'W', settings: {} };
  return formTriggerSpec({ node: { webhookId: 'hook', ...node, ...more }, typeVersion, parameter, workflow });
}

function fieldOf(values: JsonObject, typeVersion = 2.5): FormField | undefined {
  return specOf({ formFields: { values: [values] } }, typeVersion).page.fields[0];
}

test('without parameters, the form is served under the node’s ID and thanks the user immediately', () => {
  expect(specOf({})).toEqual({
    kind: 'form',
    methods: ['POST'],
    path: 'hook',
    page: { title: '', description: '', buttonLabel: 'Submit', fields: [] },
    response: { mode: 'onReceived', ending: { kind: 'text' } },
  });
});

describe('the path', () => {
  test.each<[JsonObject, string]>([
    [{ path: '/a/b/' }, 'a/b'],
    [{ options: { path: 'feedback' }, path: 'old' }, 'feedback'],
  ])('of %j is %s', (parameters, path) => {
    expect(specOf(parameters).path).toBe(path);
  });

  test.each(['a b', ':id', 'a//b', 'a?b', '..', 'a/./b', '\ud800'])('%j is refused', (path) => {
    expect(() => specOf({ path })).toThrow(/path/);
  });
});

test.each(['submittedAt', 'formMode'])('a field called %s is refused, because every item has one', (fieldName) => {
  expect(() => specOf({ formFields: { values: [{ fieldLabel: 'When', fieldName }] } })).toThrow(`"${fieldName}"`);
});

test.each<[string, JsonObject, RegExp]>([
  ['a long title', { formTitle: '"'.repeat(1_000_000) }, /a page may have 300000 characters at most/],
  ['a long style sheet', { options: { customCss: '<'.repeat(1_000_000) } }, /a page may have 300000 characters at most/],
  [
    'many options',
    { formFields: { values: [{ fieldLabel: 'f', fieldType: 'dropdown', fieldOptions: { values: manyOptions() } }] } },
    /may have 10000 options at most/,
  ],
  [
    'a long string after it',
    { options: { respondWithOptions: { values: { formSubmittedText: '<'.repeat(1_000_000) } } } },
    /a page may have 300000 characters at most/,
  ],
])('a form with %s is refused, because its page would block the API', (_, parameters, message) => {
  expect(() => specOf(parameters)).toThrow(message);
});

function manyOptions(): JsonObject[] {
  return Array.from({ length: 10_001 }, (_, at) => ({ option: `o${at}` }));
}

describe('a field', () => {
  const options = { fieldOptions: { values: [{ option: 'a' }, { option: 'b' }, { option: 'a' }] } };

  test.each<[JsonObject, FormField]>([
    [{ fieldLabel: 'Name' }, { kind: 'text', name: 'Name', label: 'Name', required: false }],
    [
      { fieldLabel: 'Name', fieldName: 'n', fieldType: 'email', placeholder: 'p', defaultValue: 'd', requiredField: true },
      { kind: 'email', name: 'n', label: 'Name', required: true, placeholder: 'p', value: 'd' },
    ],
    [
      { fieldLabel: 'Day', fieldType: 'date', defaultValue: '2026-01-02T00:00:00' },
      { kind: 'date', name: 'Day', label: 'Day', required: false, value: '2026-01-02' },
    ],
    [
      { fieldLabel: 'Pick', fieldType: 'dropdown', multiselect: true, ...options },
      { kind: 'dropdown', name: 'Pick', label: 'Pick', required: false, options: ['a', 'b'], multiple: true },
    ],
    [
      { fieldLabel: 'Pick', fieldType: 'checkbox', limitSelection: 'range', minSelections: 1, maxSelections: 2, ...options },
      {
        kind: 'checkbox',
        name: 'Pick',
        label: 'Pick',
        required: false,
        options: ['a', 'b'],
        multiple: true,
        atLeast: 1,
        atMost: 2,
      },
    ],
    [
      { fieldLabel: 'Pick', fieldType: 'radio', ...options },
      { kind: 'radio', name: 'Pick', label: 'Pick', required: false, options: ['a', 'b'], multiple: false },
    ],
    [
      { fieldLabel: 'CV', fieldType: 'file', acceptFileTypes: '.PDF, image/*' },
      { kind: 'file', name: 'CV', label: 'CV', required: false, multiple: true, accept: ['.pdf', 'image/*'] },
    ],
    [
      { fieldType: 'hiddenField', fieldName: 'h', fieldValue: 'v' },
      { kind: 'hidden', name: 'h', value: 'v' },
    ],
    [
      { fieldType: 'html', html: '<p>x</p>' },
      { kind: 'html', html: '<p>x</p>' },
    ],
  ])('defined as %j becomes %j', (values, field) => {
    expect(fieldOf(values)).toEqual(field);
  });

  test('has its label as its name before version 2.4', () => {
    expect(fieldOf({ fieldLabel: 'Name', fieldName: 'n' }, 2.3)).toMatchObject({ name: 'Name' });
    expect(fieldOf({ fieldLabel: 'Name', fieldName: 'n' }, 2.4)).toMatchObject({ name: 'n' });
  });

  test.each<[JsonObject, RegExp]>([
    [{}, /field 1 .*"fieldLabel"/],
    [{ fieldLabel: 'x', fieldType: 'slider' }, /type/],
    [{ fieldLabel: 'x', fieldType: 'dropdown' }, /no options/],
    [{ fieldLabel: 'x', fieldType: 'radio', fieldOptions: { values: [{ option: '' }] } }, /option without/],
    [{ fieldLabel: { a: 1 } }, /an object/],
  ])('defined as %j is refused', (values, message) => {
    expect(() => fieldOf(values)).toThrow(message);
  });

  test('has a unique name', () => {
    expect(() => specOf({ formFields: { values: [{ fieldLabel: 'a' }, { fieldLabel: 'a' }] } })).toThrow(/two fields/);
  });

  test('is one of at most 500', () => {
    const values = Array.from({ length: 501 }, (_, n) => ({ fieldLabel: `f${n}` }));
    expect(() => specOf({ formFields: { values } })).toThrow(/500/);
  });
});

describe('the response', () => {
  const respondWith = (values: JsonObject) => specOf({ options: { respondWithOptions: { values } } }).response.ending;

  test.each<[JsonObject, JsonObject]>([
    [{ formSubmittedText: 'thanks' }, { kind: 'text', text: 'thanks' }],
    [
      { respondWith: 'redirect', redirectUrl: 'example.com/a' },
      { kind: 'redirect', url: 'https://example.com/a' },
    ],
    [
      { respondWith: 'redirect', redirectUrl: 'http://example.com' },
      { kind: 'redirect', url: 'http://example.com/' },
    ],
  ])('of %j is %j', (values, ending) => {
    expect(respondWith(values)).toEqual(ending);
  });

  test('of version 1 is a string', () => {
    expect(specOf({ options: { formSubmittedText: 'ok' } }, 1).response.ending).toEqual({ kind: 'text', text: 'ok' });
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', ''])('never redirects to %j', (redirectUrl) => {
    expect(() => respondWith({ respondWith: 'redirect', redirectUrl })).toThrow(/https/);
  });
});

test('requires a credential only with authentication', () => {
  expect(() => specOf({ authentication: 'basicAuth' })).toThrow('httpBasicAuth');
  const credentials = { httpBasicAuth: { id: 'c', name: 'c' } };
  expect(specOf({ authentication: 'basicAuth' }, 2, { credentials }).authentication).toEqual({
    type: 'httpBasicAuth',
    credentialId: 'c',
  });
  expect(() => specOf({ authentication: 'n8nUserAuth' }, 2.6)).toThrow(/not supported/);
  expect(() => specOf({ options: { showHeaders: true } }, 2.6)).toThrow(/not supported/);
});

test.each<[JsonObject, string]>([
  [{ authentication: '={{ $vars.gone }}' }, '"authentication"'],
  [{ options: { ipWhitelist: '={{ $vars.gone }}' } }, '"options.ipWhitelist"'],
  [{ options: { ignoreBots: '={{ $vars.gone }}' } }, '"options.ignoreBots"'],
])('rejects an access setting whose expression %j has no value: %s', (parameters, message) => {
  expect(() => specOf({}, 2.5, { parameters })).toThrow(message);
});

test.each([
  [1, {}, '2026-01-02T03:04:05.000Z'],
  [2, {}, '2026-01-02T03:04:05.000Z'],
  [2.1, {}, '2026-01-02T04:04:05.000+01:00'],
  [2.1, { options: { useWorkflowTimezone: false } }, '2026-01-02T03:04:05.000Z'],
])('version %d with %j has the submission time %s', async (typeVersion, parameters, submittedAt) => {
  const inputs = [[{ json: { a: 1, submittedAt: '2026-01-02T03:04:05.000Z' } }]];
  const output = await runNode(formTrigger, { inputs, typeVersion, parameters, timezone: 'Europe/Berlin' });
  expect(output).toEqual([[{ json: { a: 1, submittedAt } }]]);
});
