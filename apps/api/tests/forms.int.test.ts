import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { aCode, aRespond, startWebhookFleet, type WebhookFleet } from './support/webhook-fleet.ts';

let fleet: WebhookFleet;

beforeAll(async () => {
  fleet = await startWebhookFleet({ BODY_LIMIT_BYTES: '20000', BINARY_MAX_BYTES: '50000', WEBHOOK_WAIT_MS: '60000' });
});
afterAll(() => fleet.close());

let paths = 0;
const fieldsOf = (...values: JsonObject[]): JsonObject => ({ values });
const name: JsonObject = { fieldLabel: 'Your name', fieldName: 'name', requiredField: true };
const age: JsonObject = { fieldLabel: 'Age', fieldName: 'age', fieldType: 'number' };
const aForm = (...values: JsonObject[]): WorkflowNode =>
  aNode({ name: 'Page', type: 'base.form', typeVersion: 2.5, parameters: { formFields: fieldsOf(...values) } });
const anEnding = (parameters: JsonObject): WorkflowNode =>
  aNode({ name: 'Ending', type: 'base.form', typeVersion: 2.5, parameters: { operation: 'completion', ...parameters } });

interface Activated {
  id: string;
  url: string;
}

/** A form and what comes after it. */
async function activate(parameters: JsonObject = {}, nodes: WorkflowNode[] = []): Promise<Activated> {
  const path = `form-${++paths}`;
  const { options = {}, ...others } = parameters as { options?: JsonObject };
  const all = { formTitle: 'Hello', formFields: fieldsOf(name, age), ...others, options: { path, ...options } };
  const id = await fleet.activate(all, nodes, { name: 'Form', type: 'base.form-trigger', typeVersion: 2.5 });
  return { id, url: `${fleet.api.url}/form/${path}` };
}

const keyIn = (page: string) => /name="form-key" value="([\w-]+)"/.exec(page)?.[1] ?? '';
const send = (url: string, fields: Record<string, string>, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), ...init });
const executions = async (workflowId: string): Promise<JsonObject[]> =>
  (await fleet.api.call('GET', `/executions?workflowId=${workflowId}&includeData=true`)).body.data;

interface StartItem {
  json: JsonObject;
  binary?: Record<string, JsonObject>;
}

/** The first item that a node of the newest execution gave, once there is one. */
const itemOf = (workflowId: string, node: string): Promise<StartItem> =>
  eventually(async () => {
    const [newest] = (await executions(workflowId)) as { data?: { resultData: { runData: Record<string, RunOfNode[]> } } }[];
    const item = newest?.data?.resultData.runData[node]?.[0]?.data.main[0]?.[0];
    if (!item) throw new Error(`node ${node} has given nothing`);
    return item;
  });

interface RunOfNode {
  data: { main: StartItem[][] };
}

describe('a form', () => {
  test('is a page that a browser can do nothing with but send it', async () => {
    const { url } = await activate();
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
    expect(await response.text()).toContain('<label for="field-0">Your name');
  });

  test('starts the workflow with its values, once for one page however often it is sent', async () => {
    const { id, url } = await activate();
    const key = keyIn(await (await fetch(url)).text());
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => send(url, { 'field-0': 'Ada', 'field-1': '36', 'form-key': key, other: 'x' })),
    );
    for (const response of sent)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('recorded')]);
    const item = await itemOf(id, 'Form');
    expect(item.json).toEqual({ name: 'Ada', age: 36, submittedAt: expect.any(String), formMode: 'production' });
    expect(await executions(id)).toHaveLength(1);
  });

  test.each([
    [{}, /\+05:30$/],
    [{ useWorkflowTimezone: false }, /Z$/],
  ])('has the time of its submission in the time zone of the workflow, unless %j', async (options, zone) => {
    const { id, url } = await activate({ options });
    expect(
      (await fleet.api.call('PATCH', `/workflows/${id}`, { body: { settings: { timezone: 'Asia/Kolkata' } } })).status,
    ).toBe(200);
    expect((await fleet.api.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    await send(url, { 'field-0': 'Ada' });
    expect((await itemOf(id, 'Form')).json['submittedAt']).toMatch(zone);
  });

  test('counts once by the key of its page, also for a browser that would rather have JSON', async () => {
    const { id, url } = await activate();
    const key = keyIn(await (await fetch(url)).text());
    const sent = () => send(url, { 'field-0': 'Ada', 'form-key': key }, { headers: { accept: 'application/json' } });
    expect(await (await sent()).json()).toEqual(await (await sent()).json());
    expect(await executions(id)).toHaveLength(1);
  });

  test('with invalid values is shown again with its errors, and starts nothing', async () => {
    const { id, url } = await activate();
    const response = await send(url, { 'field-1': '<b>' });
    expect(response.status).toBe(422);
    const page = await response.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain('aria-invalid="true" aria-describedby="field-0-error"');
    expect(page).toContain('value="&lt;b&gt;"');
    expect(await executions(id)).toEqual([]);
  });

  test('may be sent as JSON, and is refused as such', async () => {
    const { id, url } = await activate();
    const asJson = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
    const refused = await asJson({ age: 'old' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { path: '/name', message: 'is required' },
        { path: '/age', message: 'must be a number' },
      ],
    });
    const [first, again] = [
      await asJson({ name: 'Ada' }, { 'idempotency-key': 'a' }),
      await asJson({ name: 'Eve' }, { 'idempotency-key': 'a' }),
    ];
    expect(await first.json()).toEqual({ message: 'Form submitted', executionId: expect.any(String) });
    expect(again.status).toBe(200);
    expect(await executions(id)).toHaveLength(1);
  });

  test('is filled in by its address, which the item has too', async () => {
    const { id, url } = await activate();
    expect(await (await fetch(`${url}?name=Ada%22%3E&__proto__=x`)).text()).toContain('value="Ada&quot;&gt;"');
    await send(`${url}?from=mail`, { 'field-0': 'Ada' });
    expect((await itemOf(id, 'Form')).json).toMatchObject({ formQueryParameters: { from: 'mail' } });
  });

  test('can have files, of the types that it takes', async () => {
    const upload = { fieldLabel: 'Your CV', fieldType: 'file', multipleFiles: false, acceptFileTypes: '.pdf, image/*' };
    const { id, url } = await activate({ formFields: fieldsOf(name, upload) });
    const form = (fileName: string, bytes: number) => {
      const body = new FormData();
      body.append('field-0', 'Ada');
      body.append('field-1', new Blob([new Uint8Array(bytes)]), fileName);
      return fetch(url, { method: 'POST', body });
    };
    expect((await form('cv.exe', 3)).status).toBe(422);
    expect((await form('cv.pdf', 60_000)).status).toBe(413);
    expect((await form('cv.PDF', 3)).status).toBe(200);
    const item = await itemOf(id, 'Form');
    expect(item.json).toMatchObject({ 'Your CV': { filename: 'cv.PDF', size: 3 } });
    expect(item.binary).toMatchObject({ Your_CV: { fileName: 'cv.PDF', fileSize: 3 } });
    const stored = await fetch(`${fleet.api.url}/api/v1/binary-data/${item.binary?.['Your_CV']?.['id']}`, {
      headers: { 'x-service-api-key': 'an-owner-key-of-any-format' },
    });
    expect((await stored.arrayBuffer()).byteLength).toBe(3);
  });

  test('refuses a file for a field that takes text, and starts nothing', async () => {
    const upload = { fieldLabel: 'Your CV', fieldType: 'file' };
    for (const fields of [fieldsOf(name), fieldsOf(name, upload)]) {
      const { id, url } = await activate({ formFields: fields });
      const sendFile = (accept: string) => {
        const body = new FormData();
        body.append('field-0', new Blob(['Ada']), 'name.txt');
        return fetch(url, { method: 'POST', body, headers: { accept } });
      };
      const page = await sendFile('text/html');
      expect([page.status, await page.text()]).toEqual([422, expect.stringContaining('must be sent as text, not as a file')]);
      const refused = await sendFile('application/json');
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({ details: [{ path: '/name', message: 'must be sent as text, not as a file' }] }),
      ]);
      expect(await executions(id)).toEqual([]);
    }
  });

  test('with hostile names and texts stays intact', async () => {
    const evil = `"><script>alert(1)</script>`;
    const { id, url } = await activate({
      formTitle: evil,
      formDescription: `<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><b>bold</b>${evil}`,
      formFields: fieldsOf(
        { fieldLabel: evil, fieldName: '__proto__', placeholder: evil, defaultValue: evil },
        { fieldLabel: 'constructor', fieldType: 'dropdown', fieldOptions: { values: [{ option: evil }] } },
        { fieldType: 'html', html: `<script>alert(1)</script><p onclick="x">fine</p>`, elementName: 'toString' },
      ),
      options: { buttonLabel: evil, customCss: '</style><script>alert(1)</script>' },
    });
    const page = await (await fetch(url)).text();
    expect(page).not.toMatch(/<script|onerror|onclick|javascript:/i);
    expect(page).toContain('<b>bold</b>');
    await send(url, { 'field-0': 'own', 'field-1': evil });
    expect(Object.entries((await itemOf(id, 'Form')).json ?? {}).slice(0, 2)).toEqual([
      ['__proto__', 'own'],
      ['constructor', evil],
    ]);
  });

  test.each(['PUT', 'DELETE', 'OPTIONS'])('rejects %s at any address', async (method) => {
    const { url } = await activate();
    for (const base of ['/form/', '/form-test/', '/form-waiting/1/']) {
      const response = await fetch(url.replace('/form/', base), { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  });

  test('responds to HEAD, which starts nothing', async () => {
    const { id, url } = await activate();
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await executions(id)).toEqual([]);
  });

  test('that does not exist, or is no longer active, is an error page', async () => {
    const { id, url } = await activate();
    await fleet.api.call('POST', `/workflows/${id}/deactivate`);
    for (const address of [url, `${fleet.api.url}/form/none`]) {
      const response = await fetch(address);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('No form here')]);
    }
    const asJson = await fetch(url, { headers: { accept: 'application/json' } });
    expect(await asJson.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that is too large is refused', async () => {
    const { url } = await activate();
    expect((await send(url, { 'field-0': 'x'.repeat(30_000) })).status).toBe(413);
    expect((await fetch(url, { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } })).status).toBe(415);
  });

  test('has its own path: it conflicts with other forms, not with webhooks', async () => {
    const { id, url } = await activate();
    const path = url.split('/').at(-1) ?? '';
    expect((await fleet.call(path)).status).toBe(404);
    await fleet.activate({ path });
    expect((await fleet.call(path)).status).toBe(200);
    const again = fleet.activate({ formFields: fieldsOf(name), options: { path } }, [], {
      name: 'F2',
      type: 'base.form-trigger',
      typeVersion: 2.5,
    });
    await expect(again).rejects.toThrow(new RegExp(`WEBHOOK_PATH_TAKEN|node \\\\"Form\\\\" of workflow ${id}`));
    const triggers = await fleet.api.call('GET', `/workflows/${id}/triggers`);
    expect(triggers.body.data).toMatchObject([{ nodeName: 'Form', kind: 'form' }]);
  });
});

test('a form of 500 fields is shown and sent; one more is refused', async () => {
  const values = Array.from({ length: 500 }, (_, n) => ({ fieldLabel: `field ${n}` }));
  const { id, url } = await activate({ formFields: fieldsOf(...values) });
  expect(await (await fetch(url)).text()).toContain('id="field-499"');
  await send(url, Object.fromEntries(values.map((_, n) => [`field-${n}`, String(n)])));
  expect((await itemOf(id, 'Form')).json).toMatchObject({ 'field 0': '0', 'field 499': '499' });
  await expect(activate({ formFields: fieldsOf(...values, { fieldLabel: 'more' }) })).rejects.toThrow('500');
});

test('a form can be tested once before its workflow is active, including its next pages', async () => {
  const path = `form-${++paths}`;
  const trigger = aNode({
    name: 'Form',
    type: 'base.form-trigger',
    typeVersion: 2.5,
    parameters: { formFields: fieldsOf(name), responseMode: 'lastNode', options: { path } },
  });
  const graph = aChain([trigger, aForm({ fieldLabel: 'City' })]);
  const { body } = await fleet.api.call('POST', '/workflows', { body: { ...graph } });
  const opened = await fleet.api.call('POST', `/workflows/${body.id}/test-urls`, { body: {} });
  expect([opened.status, JSON.stringify(opened.body)]).toEqual([200, expect.stringContaining(`/form-test/${path}`)]);
  const url = `${fleet.api.url}/form-test/${path}`;
  expect(await (await fetch(url)).text()).toContain('Your name');
  const key = keyIn(await (await fetch(url)).text());
  const clicks = await Promise.all(
    [1, 2, 3].map(() => send(url, { 'field-0': 'Ada', 'form-key': key }, { redirect: 'manual' })),
  );
  const [to, ...others] = clicks.map((click) => click.headers.get('location'));
  expect([clicks.map(({ status }) => status), others]).toEqual([
    [303, 303, 303],
    [to, to],
  ]);
  const page = await send(url, { 'field-0': 'Ada', 'form-key': key });
  expect(await page.text()).toContain('City');
  expect((await itemOf(body.id, 'Form')).json).toMatchObject({ name: 'Ada', formMode: 'test' });
  expect(await (await send(page.url, { 'field-0': 'London' })).text()).toContain('recorded');
  expect((await send(url, { 'field-0': 'Eve' })).status).toBe(404);
});

test('a form and its next pages are available at every replica at once', async () => {
  const { url } = await activate({}, [aForm({ fieldLabel: 'City' })]);
  const elsewhere = (address: string) => address.replace(fleet.api.url, fleet.otherUrl);
  const page = await send(elsewhere(url), { 'field-0': 'Ada' });
  expect(page.status).toBe(200);
  expect(await (await fetch(page.url.replace(fleet.otherUrl, fleet.api.url))).text()).toContain('City');
});

test.each(['order-77', 'a-key-that-looks-like-one-of-a-page'])(
  'the Idempotency-Key of a webhook request does not open the next page: %s',
  async (key) => {
    const path = `hook-${++paths}`;
    await fleet.activate({ path, httpMethod: 'POST' }, [aForm({ fieldLabel: 'City' })]);
    const called = await fleet.post(path, {}, { 'idempotency-key': key });
    const { executionId } = (await called.json()) as { executionId: string };
    await eventually(async () => (await fleet.api.call('GET', `/executions/${executionId}`)).body.status === 'waiting');
    for (const token of [key, `call:${key}`])
      expect((await fetch(`${fleet.api.url}/form-waiting/${executionId}/${token}`, { redirect: 'manual' })).status).toBe(404);
  },
);

test('the Idempotency-Key of a form submission does not open the next page', async () => {
  const { id, url } = await activate({}, [aForm({ fieldLabel: 'City' })]);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-that-looks-like-one-of-a-page' };
  expect((await fetch(url, { method: 'POST', headers, body: '{"name":"Ada"}' })).status).toBe(200);
  const [{ id: executionId } = {}] = await executions(id);
  for (const token of ['a-key-that-looks-like-one-of-a-page', 'call:a-key-that-looks-like-one-of-a-page'])
    expect((await fetch(`${fleet.api.url}/form-waiting/${executionId}/${token}`, { redirect: 'manual' })).status).toBe(404);
});

describe('access to a form', () => {
  const shared = { authentication: 'basicAuth' };

  test('can require a password, from pages of this origin alone', async () => {
    const credential = await fleet.api.call('POST', '/credentials', {
      body: { name: 'visitors', type: 'httpBasicAuth', data: { user: 'ada', password: 'secret' } },
    });
    const path = `form-${++paths}`;
    const parameters = { ...shared, formFields: fieldsOf(name), options: { path } };
    const credentials = { httpBasicAuth: { id: credential.body.id, name: 'visitors' } };
    const id = await fleet.activate(parameters, [], { name: 'Form', type: 'base.form-trigger', typeVersion: 2.5, credentials });
    const url = `${fleet.api.url}/form/${path}`;
    const refused = await fetch(url);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)]);
    expect((await send(url, { 'field-0': 'Ada' })).status).toBe(401);
    const authorization = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
    const sentFrom = async (sender: Record<string, string>) =>
      (await send(url, { 'field-0': 'Ada' }, { headers: { authorization, ...sender } })).status;
    for (const site of ['cross-site', 'same-site']) expect(await sentFrom({ 'sec-fetch-site': site })).toBe(403);
    // As browsers do over plain HTTP.
    for (const origin of ['http://evil.example', 'null', `${fleet.api.url}1`]) expect(await sentFrom({ origin })).toBe(403);
    expect(await executions(id)).toEqual([]);
    for (const origin of [fleet.api.url, 'https://sluice.example']) expect(await sentFrom({ origin })).toBe(200);
    expect(await sentFrom({ 'sec-fetch-site': 'same-origin', origin: 'null' })).toBe(200);
    expect((await send(url, { 'field-0': 'Ada' }, { headers: { authorization } })).status).toBe(200);
  });

  test('may be those of some addresses, and no programs', async () => {
    const far = await activate({ options: { ipWhitelist: '203.0.113.0/24' } });
    expect((await fetch(far.url)).status).toBe(403);
    const { url } = await activate({ options: { ignoreBots: true } });
    expect((await fetch(url, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } })).status).toBe(403);
  });
});

describe('the next pages', () => {
  const respondWith = (values: JsonObject) => ({ options: { respondWithOptions: { values } } });

  test('may be a text, or another address', async () => {
    const text = await activate(
      respondWith({ respondWith: 'text', formSubmittedText: 'Thanks <b>a lot</b><script>x</script>' }),
    );
    expect(await (await send(text.url, { 'field-0': 'Ada' })).text()).toContain('Thanks <b>a lot</b></p>');
    const redirect = await activate(respondWith({ respondWith: 'redirect', redirectUrl: 'https://example.com/a?b=1&c=2' }));
    const page = await (await send(redirect.url, { 'field-0': 'Ada' })).text();
    expect(page).toContain('http-equiv="refresh" content="0; url=https://example.com/a?b=1&amp;c=2"');
  });

  test('can wait for the end of the workflow', async () => {
    const code = aCode('Code', `return [{ json: { ok: true } }]`);
    const { url } = await activate({ responseMode: 'lastNode' }, [code]);
    const response = await send(url, { 'field-0': 'Ada' });
    expect(response.url).toContain('/form-waiting/');
    // A slow machine answers with the page that asks to wait, which browsers load again.
    await eventually(async () => expect(await (await fetch(response.url)).text()).toContain('recorded'));
    const asJson = await send(url, { 'field-0': 'Ada' }, { headers: { accept: 'application/json' } });
    expect(await asJson.json()).toEqual({ ok: true });
    const failing = await activate({ responseMode: 'lastNode' }, [aCode('Code', `throw new Error('secret')`)]);
    const failed = await send(failing.url, { 'field-0': 'Ada' });
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  test('can be the response of a node, as a page in a sandbox', async () => {
    const respond = aRespond({ respondWith: 'text', responseBody: '=<h1>Hi {{ $json.name }}</h1>' });
    const { url } = await activate({ responseMode: 'responseNode' }, [respond]);
    const response = await send(url, { 'field-0': 'Ada' });
    expect(await response.text()).toBe('<h1>Hi Ada</h1>');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox /);
  });
});

describe('further pages', () => {
  test('follow each other for the user who submitted the previous one, up to the ending', async () => {
    const ending = anEnding({
      completionTitle: 'Done',
      completionMessage: '={{ $("Form").item.json.name }}, <b>{{ $json.city }}</b>',
    });
    const { id, url } = await activate({}, [aForm({ fieldLabel: 'City', fieldName: 'city', requiredField: true }), ending]);
    const second = await send(url, { 'field-0': 'Ada' });
    expect(second.url).toMatch(/\/form-waiting\/\d+\/[\w-]+$/);
    const page = await second.text();
    expect(page).toContain('<label for="field-0">City');
    expect((await send(second.url, { 'field-0': '' })).status).toBe(422);
    const done = await send(second.url, { 'field-0': 'London', 'form-key': keyIn(page) });
    expect(await done.text()).toMatch(/<h1>Done<\/h1>\s*<div role="status">Ada, <b>London<\/b>/);
    expect(await (await fetch(done.url)).text()).toContain('Ada, <b>London</b>');
    expect((await itemOf(id, 'Page')).json).toMatchObject({ city: 'London', formMode: 'production' });
  });

  test('are sent once, however many send at the same time', async () => {
    const { id, url } = await activate({}, [aForm({ fieldLabel: 'City', fieldName: 'city' })]);
    const page = await send(url, { 'field-0': 'Ada' });
    const key = keyIn(await page.text());
    const same = await send(page.url, { 'field-0': 'winner', 'form-key': key });
    expect(same.status).toBe(200);
    const [again, other] = [
      await send(page.url, { 'field-0': 'again', 'form-key': key }),
      await send(page.url, { 'field-0': 'other', 'form-key': 'another-key-of-somebody-else' }),
    ];
    expect([again.status, other.status]).toEqual([200, 409]);
    expect((await itemOf(id, 'Page')).json).toMatchObject({ city: 'winner' });
    const race = await send(url, { 'field-0': 'Ada' });
    await race.text();
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(race.url, { 'field-0': `city ${n}`, 'form-key': `key-of-the-racer-number-${n}` }),
      ),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test('accept files, and can end with one', async () => {
    const ending = anEnding({ respondWith: 'returnBinary', completionTitle: 'Your file', inputDataFieldName: 'Scan' });
    const { url } = await activate({}, [aForm({ fieldLabel: 'Scan', fieldType: 'file', multipleFiles: false }), ending]);
    const page = await send(url, { 'field-0': 'Ada' });
    const body = new FormData();
    body.append('field-0', new Blob(['bytes']), 'scan.txt');
    const done = await fetch(page.url, { method: 'POST', body });
    expect(await done.text()).toContain('<a href="?file" download>');
    const file = await fetch(`${done.url}?file`);
    expect([await file.text(), file.headers.get('content-disposition')]).toEqual(['bytes', 'attachment; filename=scan.txt']);
  });

  test('can end at another address', async () => {
    const { url } = await activate({}, [anEnding({ respondWith: 'redirect', redirectUrl: 'https://example.com/' })]);
    expect(await (await send(url, { 'field-0': 'Ada' })).text()).toContain('url=https://example.com/');
  });
});

describe('a wait for a form', () => {
  const aWait = (parameters: JsonObject = {}): WorkflowNode =>
    aNode({
      name: 'Wait',
      type: 'base.wait',
      typeVersion: 1.1,
      parameters: {
        resume: 'form',
        formTitle: 'Approve?',
        formFields: fieldsOf({
          fieldLabel: 'ok',
          fieldType: 'radio',
          fieldOptions: { values: [{ option: 'yes' }, { option: 'no' }] },
          requiredField: true,
        }),
        ...parameters,
      },
    });
  const link = aCode('Link', `return [{ json: { url: $execution.resumeFormUrl } }]`);
  const linkOf = async (id: string) => {
    const url = (await itemOf(id, 'Link')).json['url'] as string;
    await eventually(async () => expect((await executions(id))[0]?.['status']).toBe('waiting'));
    return url.replace('https://sluice.example', fleet.api.url);
  };

  test('is open to anyone with its address, but not to the user who started the workflow', async () => {
    const { id, url } = await activate({}, [link, aWait(), aForm(name)]);
    const started = send(url, { 'field-0': 'Ada' });
    const address = await linkOf(id);
    expect(await (await fetch(address)).text()).toContain('<legend>ok');
    const plain = await fetch(address.replace('form-waiting', 'webhook-waiting'), { method: 'POST' });
    expect(plain.status).toBe(404);
    expect((await send(address, { 'field-0': 'perhaps' })).status).toBe(422);
    const approved = await send(address, { 'field-0': 'yes' });
    expect(await approved.text()).toContain('<label for="field-0">Your name');
    expect((await itemOf(id, 'Wait')).json).toMatchObject({ ok: 'yes', formMode: 'production' });
    const first = await started;
    expect(await first.text()).not.toContain('field-0');
    expect(await (await fetch(first.url)).text()).not.toContain('field-0');
  });

  test('shows its text, and is then complete', async () => {
    const text = { options: { respondWithOptions: { values: { formSubmittedText: 'Approved.' } } } };
    const { id, url } = await activate({}, [link, aWait(text)]);
    await send(url, { 'field-0': 'Ada' });
    const address = await linkOf(id);
    expect(await (await send(address, { 'field-0': 'no' })).text()).toContain('Approved.');
    expect((await send(address, { 'field-0': 'yes' })).status).toBe(409);
    expect((await fetch(`${address}x`)).status).toBe(404);
  });
});
