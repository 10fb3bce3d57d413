import { describe, expect, test } from '@jest/globals';
import type { JsonObject, Suspension } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runNode } from '../../testing/fake-context.ts';
import { wait } from './wait.ts';

/** The suspension that the node requests. */
async function suspensionOf(run: FakeRun): Promise<Suspension | undefined> {
  let suspension: Suspension | undefined;
  await runNode(wait, { suspended: (request) => (suspension = request), ...run });
  return suspension;
}

const inMs = (suspension: Suspension | undefined) =>
  suspension?.kind === 'workflows' ? undefined : Math.round(((suspension?.at ?? Number.NaN) - Date.now()) / 1_000) * 1_000;

describe('a time', () => {
  test('of up to a second and a half is awaited in memory', async () => {
    const startedAt = performance.now();
    let suspended = false;
    const output = await runNode(wait, {
      json: [{ a: 1 }],
      parameters: { amount: 0.05, unit: 'seconds' },
      suspended: () => {
        suspended = true;
      },
    });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
    expect(suspended).toBe(false);
    expect(output).toEqual([[{ json: { a: 1 }, pairedItem: { item: 0 } }]]);
  });

  test('awaited in memory ends with the signal’s reason as soon as it fires', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    const run = runNode(wait, { parameters: { amount: 1.5 }, signal: controller.signal });
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
  });

  test.each<[number, JsonObject, number]>([
    [1.1, { amount: 2 }, 2_000],
    [1.1, {}, 5_000],
    [1.1, { amount: 2, unit: 'minutes' }, 120_000],
    [1.1, { amount: 3, unit: 'days' }, 3 * 86_400_000],
    [1, {}, 3_600_000],
  ])('version %d with %j suspends for %d ms', async (typeVersion, parameters, ms) => {
    const suspension = await suspensionOf({ typeVersion, parameters });
    expect(suspension?.kind).toBe('time');
    expect(inMs(suspension)).toBe(ms);
  });

  test('that is a date is in the workflow’s time zone', async () => {
    const parameters = { resume: 'specificTime', dateTime: '2099-06-01T12:00:00' };
    const suspension = await suspensionOf({ parameters, timezone: 'Europe/Berlin' });
    expect(suspension).toEqual({ kind: 'time', at: Date.parse('2099-06-01T10:00:00Z') });
  });

  test('in the past is not awaited', async () => {
    const parameters = { resume: 'specificTime', dateTime: '2001-01-01T00:00:00Z' };
    expect(await runNode(wait, { json: [{ a: 1 }], parameters })).toEqual([[{ json: { a: 1 }, pairedItem: { item: 0 } }]]);
  });

  test('passes the items on when it is reached', async () => {
    const output = await runNode(wait, { json: [{ a: 1 }, { a: 2 }], event: { kind: 'time' } });
    expect(output[0]?.map(({ json }) => json)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test.each([
    [{ amount: 'long' }, '"amount"'],
    [{ amount: -1 }, '"amount"'],
    [{ amount: 1e9, unit: 'days' }, '100 years'],
    [{ unit: 'fortnights' }, '"unit"'],
    [{ resume: 'specificTime', dateTime: 'soon' }, '"dateTime"'],
    [{ resume: 'specificTime' }, '"dateTime"'],
  ])('the error for %j contains the parameter', async (parameters, message) => {
    await expect(runNode(wait, { parameters })).rejects.toThrow(message);
  });
});

describe('a request', () => {
  const webhook = (more: JsonObject = {}) => suspensionOf({ parameters: { resume: 'webhook', ...more } });

  test('is awaited with the settings from the parameters', async () => {
    expect(await webhook()).toEqual({
      kind: 'call',
      call: { method: 'GET', files: { take: 'all' }, response: { status: 200, headers: {} } },
    });
    const suspension = await webhook({
      httpMethod: 'POST',
      responseCode: 202,
      options: {
        webhookSuffix: '/approve/',
        ignoreBots: true,
        ipWhitelist: '10.0.0.0/8, ::1',
        responseData: 'thanks',
        noResponseBody: false,
        responseHeaders: { entries: [{ name: 'X-Seen', value: 'yes\r\nX-Other: no' }] },
      },
    });
    expect(suspension).toEqual({
      kind: 'call',
      call: {
        method: 'POST',
        suffix: 'approve',
        ignoresBots: true,
        allowedAddresses: ['10.0.0.0/8', '::1'],
        files: { take: 'all' },
        response: { status: 202, headers: { 'X-Seen': 'yes  X-Other: no' }, body: 'thanks' },
      },
    });
  });

  test('may have a time limit', async () => {
    expect(inMs(await webhook({ limitWaitTime: true, resumeAmount: 10, resumeUnit: 'minutes' }))).toBe(600_000);
    const dated = await webhook({ limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime: '2099-01-01T00:00:00Z' });
    expect(dated).toMatchObject({ at: Date.parse('2099-01-01T00:00:00Z') });
  });

  test('becomes the output item', async () => {
    const request = { headers: { a: 'b' }, params: {}, query: { q: '1' }, body: { approved: true } };
    for (const received of [request, { ...request, jwtPayload: { sub: 'ann' } }]) {
      const output = await runNode(wait, { json: [{ n: 1 }, { n: 2 }], event: { kind: 'call', request: received } });
      expect(output).toEqual([[{ json: received, pairedItem: { item: 0 } }]]);
    }
  });

  test.each<[number, JsonObject, JsonObject]>([
    [1, {}, { take: 'none' }],
    [1, { binaryData: true }, { take: 'body' }],
    [1.1, { rawBody: true, binaryPropertyName: 'raw' }, { take: 'body', property: 'raw' }],
  ])('version %d accepts files according to %j', async (typeVersion, parameters, files) => {
    const suspension = await suspensionOf({ typeVersion, parameters: { resume: 'webhook', options: parameters } });
    expect(suspension).toMatchObject({ call: { files } });
  });

  test('may receive a later response from the workflow', async () => {
    const options = { responsePropertyName: 'a.b', responseHeaders: { entries: [{ name: 'X-A', value: 'b' }] } };
    const lastNode = await webhook({ responseMode: 'lastNode', responseCode: 201, responseData: 'firstEntryJson', options });
    expect(lastNode).toMatchObject({
      call: { answer: { mode: 'lastNode', status: 201, headers: { 'X-A': 'b' }, data: 'firstEntryJson', property: 'a.b' } },
    });
    const responseNode = await webhook({ responseMode: 'responseNode' });
    expect(responseNode).toMatchObject({ call: { answer: { mode: 'responseNode', status: 200, data: 'noData' } } });
  });

  test('may include files', async () => {
    const binary = { data: { id: 'f', mimeType: 'text/plain' } };
    const request = { headers: {}, params: {}, query: {}, body: {}, binary };
    const [output] = await runNode(wait, { event: { kind: 'call', request } });
    expect(output?.[0]?.binary).toEqual(binary);
  });

  test('may require the node’s credential', async () => {
    let suspension: Suspension | undefined;
    const context = fakeContext({
      typeVersion: 1.1,
      parameters: { resume: 'webhook', incomingAuthentication: 'headerAuth' },
      suspended: (request) => {
        suspension = request;
      },
    });
    const node = { ...context.node, credentials: { httpHeaderAuth: { id: 'c1' } } };
    await wait.execute?.({ ...context, node });
    expect(suspension).toMatchObject({ call: { authentication: { type: 'httpHeaderAuth', credentialId: 'c1' } } });
  });

  test.each<[JsonObject, string]>([
    [{ incomingAuthentication: 'basicAuth' }, 'no credential of type "httpBasicAuth"'],
    [{ responseCode: 99 }, '"responseCode"'],
    [{ options: { ipWhitelist: 'everybody' } }, '"ipWhitelist"'],
    [{ options: { ipWhitelist: '10.0.0.0/99' } }, '"ipWhitelist"'],
    [{ options: { responseHeaders: { entries: [{ name: 'a b' }] } } }, 'response header'],
  ])('with %j is refused: %s', async (more, message) => {
    await expect(webhook(more)).rejects.toThrow(message);
  });
});

describe.each<[string, JsonObject[]]>([
  ['webhook', [{ incomingAuthentication: '=' }, { options: { ipWhitelist: '=' } }, { options: { ignoreBots: '=' } }]],
  ['form', [{ incomingAuthentication: '=' }]],
])('waiting for a %s', (resume, guards) => {
  test.each(guards)('an access setting whose expression %j has no value is an error', async (written) => {
    const context = fakeContext({ typeVersion: 1.1, parameters: { resume } });
    const node = { ...context.node, parameters: { resume, ...written } };
    await expect(wait.execute?.({ ...context, node })).rejects.toThrow('has no value');
  });

  test.each(['my step', '2026-11-22T10:00:00', 'a?b', 'a//b'])('uses an address that ends with %j', async (webhookSuffix) => {
    const parameters = { resume, options: { webhookSuffix } };
    expect(JSON.stringify(await suspensionOf({ typeVersion: 1.1, parameters }))).toContain(JSON.stringify(webhookSuffix));
  });

  test.each(['../x', 'a/./b', '..'])(
    'at an address that ends with %j is an error: no client could use it',
    async (webhookSuffix) => {
      const parameters = { resume, options: { webhookSuffix } };
      await expect(suspensionOf({ typeVersion: 1.1, parameters })).rejects.toThrow('"webhookSuffix"');
    },
  );
});

describe('a form', () => {
  const formFields = { values: [{ fieldLabel: 'ok', requiredField: true }] };
  const form = (more: JsonObject = {}) =>
    suspensionOf({ typeVersion: 1.1, parameters: { resume: 'form', formTitle: 'Approve', formFields, ...more } });

  test('is awaited at a separate address', async () => {
    expect(await form({ options: { webhookSuffix: '/boss/' }, responseMode: 'lastNode' })).toEqual({
      kind: 'call',
      call: {
        method: 'POST',
        suffix: 'boss',
        form: {
          page: {
            title: 'Approve',
            description: '',
            buttonLabel: 'Submit',
            fields: [{ kind: 'text', name: 'ok', label: 'ok', required: true }],
          },
          response: { mode: 'lastNode', ending: { kind: 'text' } },
          isNextPage: false,
        },
        response: { status: 200, headers: {} },
      },
    });
  });

  test('may have a time limit', async () => {
    expect(inMs(await form({ limitWaitTime: true, resumeAmount: 2, resumeUnit: 'hours' }))).toBe(7_200_000);
  });

  test('becomes the output item', async () => {
    const request = {
      headers: {},
      params: {},
      query: {},
      body: { ok: 'yes', submittedAt: '2026-01-02T03:04:05.000Z' },
      binary: { scan: { id: 'f', mimeType: 'text/plain' } },
    };
    const run = { parameters: { resume: 'form' }, timezone: 'Europe/Berlin', event: { kind: 'call', request } as const };
    expect(await runNode(wait, run)).toEqual([
      [{ json: { ok: 'yes', submittedAt: '2026-01-02T04:04:05.000+01:00' }, binary: request.binary, pairedItem: { item: 0 } }],
    ]);
  });
});
