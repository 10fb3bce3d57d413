import { describe, expect, test } from '@jest/globals';
import type { FormPage, JsonObject, RequestSuspension, ResumeEvent } from '@sluice/node-sdk';
import { type FakeRun, fakeContext } from '../testing/fake-context.ts';
import { answeredItems, questionHtml, questionOf, questionText } from './send-and-wait.ts';

const address = 'https://me.example/form-waiting/1/token';
const contextOf = (parameters: JsonObject, more: FakeRun = {}) => fakeContext({ parameters, ...more });
const questionFor = (parameters: JsonObject, message = 'Ship it?') => questionOf(contextOf(parameters), message);
const pageOf = (suspension: RequestSuspension) => suspension.call.form?.page as FormPage;
const double: JsonObject = { approvalOptions: { values: { approvalType: 'double' } } };

describe('the message', () => {
  test('for a single approval has one link', () => {
    const { links, suspension } = questionFor({});
    expect(links).toEqual([{ label: 'Approve', url: address, style: 'primary' }]);
    expect(pageOf(suspension)).toEqual({
      title: 'Your response is needed',
      description: 'Ship it?',
      buttonLabel: 'Approve',
      fields: [],
    });
  });

  test('for a double approval has two links to one page, each with its choice', () => {
    const { links, suspension } = questionFor(double);
    expect(links).toEqual([
      { label: 'Decline', url: `${address}?decision=Decline`, style: 'secondary' },
      { label: 'Approve', url: `${address}?decision=Approve`, style: 'primary' },
    ]);
    expect(pageOf(suspension)).toMatchObject({
      buttonLabel: 'Confirm',
      fields: [{ kind: 'radio', name: 'decision', required: true, options: ['Approve', 'Decline'] }],
    });
  });

  test('has the author’s labels and styles', () => {
    const values = {
      approvalType: 'double',
      approveLabel: 'Yes & go',
      buttonApprovalStyle: 'secondary',
      disapproveLabel: 'No',
      buttonDisapprovalStyle: 'primary',
    };
    expect(questionFor({ approvalOptions: { values } }).links).toEqual([
      { label: 'No', url: `${address}?decision=No`, style: 'primary' },
      { label: 'Yes & go', url: `${address}?decision=Yes+%26+go`, style: 'secondary' },
    ]);
  });

  test('for free text has a link to a page with one field', () => {
    const { links, suspension } = questionFor({ responseType: 'freeText', subject: 'Order 7' });
    expect(links).toEqual([{ label: 'Respond', url: address, style: 'primary' }]);
    expect(pageOf(suspension)).toEqual({
      title: 'Order 7',
      description: 'Ship it?',
      buttonLabel: 'Submit',
      fields: [{ kind: 'textarea', name: 'text', label: 'Response', required: true }],
    });
  });

  test('for a form has the author’s text and fields', () => {
    const { links, suspension } = questionFor({
      responseType: 'customForm',
      formFields: { values: [{ fieldLabel: 'Amount', fieldType: 'number', requiredField: true }] },
      options: {
        messageButtonLabel: 'Open',
        responseFormTitle: 'T',
        responseFormDescription: 'D',
        responseFormButtonLabel: 'Send',
        responseFormCustomCss: 'h1 { color: red }',
      },
    });
    expect(links).toEqual([{ label: 'Open', url: address, style: 'primary' }]);
    expect(pageOf(suspension)).toEqual({
      title: 'T',
      description: 'D',
      buttonLabel: 'Send',
      css: 'h1 { color: red }',
      fields: [{ kind: 'number', name: 'Amount', label: 'Amount', required: true }],
    });
  });

  test('without markup is escaped, and keeps its lines', () => {
    const question = questionFor({ options: { appendAttribution: true } }, 'a < b\n& c');
    expect(questionHtml(question)).toContain('<div>a &lt; b<br>&amp; c</div>');
    expect(questionHtml(question)).toContain('Sent automatically with Sluice');
    expect(questionHtml(questionFor({}, '<b>bold</b>'))).toContain('<div><b>bold</b></div>');
    expect(questionText(question)).toBe(`a < b\n& c\n\nApprove: ${address}\n\nSent automatically with Sluice`);
  });

  test('has links that cannot break out of their attribute', () => {
    const values = { approvalType: 'double', approveLabel: '"><script>' };
    const html = questionHtml(questionFor({ approvalOptions: { values } }));
    expect(html).not.toContain('<script>');
    expect(html).toContain(`href="${address}?decision=%22%3E%3Cscript%3E"`);
  });
});

describe('the wait', () => {
  const limited = (values: JsonObject) => questionFor({ options: { limitWaitTime: { values } } }).suspension.at;

  test('has no limit by default', () => {
    const { suspension } = questionFor({});
    expect(suspension).toMatchObject({ kind: 'call', call: { method: 'POST', form: { isNextPage: false } } });
    expect(suspension).not.toHaveProperty('at');
  });

  test.each<[JsonObject, number]>([
    [{}, 45 * 60_000],
    [{ resumeAmount: 2, resumeUnit: 'hours' }, 7_200_000],
  ])('ends with the limit %j', (values, ms) => {
    const startedAt = Date.now();
    const at = limited(values) ?? 0;
    expect(at - ms).toBeGreaterThanOrEqual(startedAt);
    expect(at - ms).toBeLessThanOrEqual(Date.now());
  });

  test('ends at a date', () => {
    expect(limited({ limitType: 'atSpecifiedTime', maxDateAndTime: '2099-01-01T00:00:00Z' })).toBe(Date.parse('2099-01-01'));
  });

  test.each<[JsonObject, string]>([
    [{ approvalOptions: { values: { approvalType: 'double', approveLabel: 'OK', disapproveLabel: 'OK' } } }, 'are the same'],
    [{ responseType: 'smoke' }, '"responseType"'],
    [{ message: 'x'.repeat(100_001) }, 'more than 100000 characters'],
    [{ options: { limitWaitTime: { values: { resumeUnit: 'moons' } } } }, 'resumeUnit'],
  ])('with %j is an error that states the cause', (parameters, message) => {
    expect(() => questionFor(parameters, String(parameters['message'] ?? ''))).toThrow(message);
  });

  test('requires the page’s address', () => {
    const context = { ...fakeContext(), execution: { id: '1', mode: 'manual' } as const };
    expect(() => questionOf(context, 'Hi')).toThrow('the address of the response page is unknown');
  });
});

describe('the response', () => {
  const submitted = (body: JsonObject): ResumeEvent => ({
    kind: 'call',
    request: {
      headers: {},
      params: {},
      query: {},
      body: { ...body, submittedAt: '2026-01-02T03:04:05.000Z', formMode: 'production' },
    },
  });

  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{}, {}, { approved: true }],
    [double, { decision: 'Approve' }, { approved: true }],
    [double, { decision: 'Decline' }, { approved: false }],
    [{ responseType: 'freeText' }, { text: 'Hello' }, { text: 'Hello' }],
    [{ responseType: 'customForm' }, { Amount: 5, __proto: 'x' }, { Amount: 5, __proto: 'x' }],
  ])('to %j with the fields %j is %j', (parameters, body, data) => {
    expect(answeredItems(contextOf(parameters, { json: [{ n: 1 }, { n: 2 }] }), submitted(body))).toEqual([
      [{ json: { data }, pairedItem: { item: 0 } }],
    ]);
  });

  test('has the form’s files', () => {
    const event = submitted({}) as Extract<ResumeEvent, { kind: 'call' }>;
    const binary = { scan: { id: 'f', mimeType: 'text/plain' } };
    const context = contextOf({ responseType: 'customForm' });
    expect(answeredItems(context, { ...event, request: { ...event.request, binary } })).toMatchObject([[{ binary }]]);
  });

  test('that does not arrive in time passes the items on', () => {
    expect(answeredItems(contextOf({}, { json: [{ n: 1 }, { n: 2 }] }), { kind: 'time' })).toMatchObject([
      [{ json: { n: 1 } }, { json: { n: 2 } }],
    ]);
  });
});
