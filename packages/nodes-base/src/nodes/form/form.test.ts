import { describe, expect, test } from '@jest/globals';
import type { JsonObject, Suspension, WebhookResponse } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { form } from './form.ts';

const file = { id: 'f', mimeType: 'text/plain' };

describe('a page', () => {
  async function pageOf(parameters: JsonObject, typeVersion = 2.5): Promise<Suspension | undefined> {
    let suspension: Suspension | undefined;
    await runNode(form, { typeVersion, parameters, suspended: (request) => (suspension = request) });
    return suspension;
  }

  test('is the next page for the user who submitted the form', async () => {
    const formFields = { values: [{ fieldLabel: 'City', fieldName: 'city' }] };
    const options = { formTitle: 'More', formDescription: 'About you', buttonLabel: 'Next', customCss: 'p {}' };
    expect(await pageOf({ formFields, options })).toEqual({
      kind: 'call',
      call: {
        method: 'POST',
        form: {
          page: {
            title: 'More',
            description: 'About you',
            buttonLabel: 'Next',
            css: 'p {}',
            fields: [{ kind: 'text', name: 'city', label: 'City', required: false }],
          },
          response: { mode: 'onReceived', ending: { kind: 'text' } },
          isNextPage: true,
        },
        response: { status: 200, headers: {} },
      },
    });
  });

  test.each([[[{ fieldLabel: 'City' }]], ['[{ "fieldLabel": "City" }]']])('may be defined as JSON: %j', async (jsonOutput) => {
    expect(await pageOf({ defineForm: 'json', jsonOutput })).toMatchObject({
      call: { form: { page: { fields: [{ kind: 'text', name: 'City' }] } } },
    });
  });

  test.each(['{', '{}', '[1]'])('defined as %s is refused', async (jsonOutput) => {
    await expect(pageOf({ defineForm: 'json', jsonOutput })).rejects.toThrow(/jsonOutput/);
  });

  test('may have a time limit, after which the items pass', async () => {
    expect(
      await pageOf({ limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime: '2099-01-01T00:00:00Z' }),
    ).toMatchObject({
      at: Date.parse('2099-01-01T00:00:00Z'),
    });
    const output = await runNode(form, { json: [{ a: 1 }], event: { kind: 'time' } });
    expect(output).toEqual([[{ json: { a: 1 }, pairedItem: { item: 0 } }]]);
  });

  test('becomes the output item', async () => {
    const request = { headers: {}, params: {}, query: {}, body: { city: 'London' }, binary: { scan: file } };
    const output = await runNode(form, { event: { kind: 'call', request } });
    expect(output).toEqual([[{ json: { city: 'London' }, binary: { scan: file }, pairedItem: { item: 0 } }]]);
  });
});

describe('an ending', () => {
  async function ending(parameters: JsonObject, more: FakeRun = {}): Promise<WebhookResponse | undefined> {
    let answer: WebhookResponse | undefined;
    const respond = async (response: WebhookResponse) => {
      answer = response;
      return true;
    };
    await runNode(form, { parameters: { operation: 'completion', ...parameters }, respond, ...more });
    return answer;
  }

  test.each<[JsonObject, Partial<WebhookResponse>]>([
    [
      { completionTitle: 'Done', completionMessage: '<b>ok</b>', options: { customCss: 'p {}' } },
      { status: 200, body: { kind: 'page', title: 'Done', message: '<b>ok</b>', css: 'p {}' } },
    ],
    [
      { respondWith: 'redirect', redirectUrl: 'example.com' },
      { status: 303, headers: { location: 'https://example.com/' } },
    ],
    [{ respondWith: 'showText', responseText: '<p>own</p>' }, { body: { kind: 'text', text: '<p>own</p>' } }],
    [{ respondWith: 'returnBinary', completionTitle: 'Here' }, { body: { kind: 'page', title: 'Here', message: '', file } }],
  ])('of %j is %j', async (parameters, answer) => {
    expect(await ending(parameters, { inputs: [[{ json: {}, binary: { data: file } }]] })).toMatchObject(answer);
  });

  test.each<[JsonObject, RegExp]>([
    [{ respondWith: 'redirect', redirectUrl: 'javascript:alert(1)' }, /redirectUrl/],
    [{ respondWith: 'returnBinary' }, /no file "data"/],
    [{ completionMessage: '<'.repeat(1_000_000) }, /a page may have 300000 characters at most/],
  ])('of %j is refused', async (parameters, message) => {
    await expect(ending(parameters)).rejects.toThrow(message);
  });

  test('passes the items on, whether or not a user sees it', async () => {
    const parameters = { operation: 'completion' };
    const passed = [[{ json: { a: 1 }, pairedItem: { item: 0 } }]];
    expect(await runNode(form, { json: [{ a: 1 }], parameters })).toEqual(passed);
    expect(await runNode(form, { json: [{ a: 1 }], parameters, respond: async () => false })).toEqual(passed);
  });
});
