import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { aForm, fieldsOf, keyIn, nameField, send, startForms } from './support/forms.ts';
import { aCode, aPath, aRespond } from './support/webhook-fleet.ts';

const forms = await startForms();
const { activate, executions, itemOf } = forms;

const { fleet } = forms;

describe('a form', () => {
  test('is a page on which a browser can do nothing but submit it', async () => {
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

  test('starts the workflow with its values, once per page even if it is submitted repeatedly', async () => {
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
  ])('has its submission time in the time zone of the workflow, or as set by the options %j', async (options, zone) => {
    const { id, url } = await activate({ options });
    expect(
      (await fleet.api.call('PATCH', `/workflows/${id}`, { body: { settings: { timezone: 'Asia/Kolkata' } } })).status,
    ).toBe(200);
    expect((await fleet.api.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
    await send(url, { 'field-0': 'Ada' });
    expect((await itemOf(id, 'Form')).json['submittedAt']).toMatch(zone);
  });

  test('counts once per page, even for a browser that prefers JSON', async () => {
    const { id, url } = await activate();
    const key = keyIn(await (await fetch(url)).text());
    const sent = () => send(url, { 'field-0': 'Ada', 'form-key': key }, { headers: { accept: 'application/json' } });
    expect(await (await sent()).json()).toEqual(await (await sent()).json());
    expect(await executions(id)).toHaveLength(1);
  });

  test('with invalid values is shown again with errors and starts nothing', async () => {
    const { id, url } = await activate();
    const response = await send(url, { 'field-1': '<b>' });
    expect(response.status).toBe(422);
    const page = await response.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain('aria-invalid="true" aria-describedby="field-0-error"');
    expect(page).toContain('value="&lt;b&gt;"');
    expect(await executions(id)).toEqual([]);
  });

  test('can be sent as JSON, and gets errors as JSON', async () => {
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

  test('is prefilled from the query of its URL, which is also in the item', async () => {
    const { id, url } = await activate();
    expect(await (await fetch(`${url}?name=Ada%22%3E&__proto__=x`)).text()).toContain('value="Ada&quot;&gt;"');
    await send(`${url}?from=mail`, { 'field-0': 'Ada' });
    expect((await itemOf(id, 'Form')).json).toMatchObject({ formQueryParameters: { from: 'mail' } });
  });

  test('accepts files of the accepted types', async () => {
    const upload = { fieldLabel: 'Your CV', fieldType: 'file', multipleFiles: false, acceptFileTypes: '.pdf, image/*' };
    const { id, url } = await activate({ formFields: fieldsOf(nameField, upload) });
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

  test('rejects a file for a text field and starts nothing', async () => {
    const upload = { fieldLabel: 'Your CV', fieldType: 'file' };
    for (const fields of [fieldsOf(nameField), fieldsOf(nameField, upload)]) {
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

  test('with hostile names and text is rendered safely', async () => {
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

  test.each(['PUT', 'DELETE', 'OPTIONS'])('rejects %s at any URL', async (method) => {
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

  test('that does not exist or is no longer active shows an error page', async () => {
    const { id, url } = await activate();
    await fleet.api.call('POST', `/workflows/${id}/deactivate`);
    for (const address of [url, `${fleet.api.url}/form/none`]) {
      const response = await fetch(address);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('No form here')]);
    }
    const asJson = await fetch(url, { headers: { accept: 'application/json' } });
    expect(await asJson.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that is too large is rejected', async () => {
    const { url } = await activate();
    expect((await send(url, { 'field-0': 'x'.repeat(30_000) })).status).toBe(413);
    expect((await fetch(url, { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } })).status).toBe(415);
  });

  test('has its own path, which conflicts with other forms but not with webhooks', async () => {
    const { id, url } = await activate();
    const path = url.split('/').at(-1) ?? '';
    expect((await fleet.call(path)).status).toBe(404);
    await fleet.activate({ path });
    expect((await fleet.call(path)).status).toBe(200);
    const again = fleet.activate({ formFields: fieldsOf(nameField), options: { path } }, [], {
      name: 'F2',
      type: 'base.form-trigger',
      typeVersion: 2.5,
    });
    await expect(again).rejects.toThrow(new RegExp(`WEBHOOK_PATH_TAKEN|node \\\\"Form\\\\" of workflow ${id}`));
    const triggers = await fleet.api.call('GET', `/workflows/${id}/triggers`);
    expect(triggers.body.data).toMatchObject([{ nodeName: 'Form', kind: 'form' }]);
  });
});

test('a form with 500 fields is shown and submitted; one more field is rejected', async () => {
  const values = Array.from({ length: 500 }, (_, n) => ({ fieldLabel: `field ${n}` }));
  const { id, url } = await activate({ formFields: fieldsOf(...values) });
  expect(await (await fetch(url)).text()).toContain('id="field-499"');
  await send(url, Object.fromEntries(values.map((_, n) => [`field-${n}`, String(n)])));
  expect((await itemOf(id, 'Form')).json).toMatchObject({ 'field 0': '0', 'field 499': '499' });
  await expect(activate({ formFields: fieldsOf(...values, { fieldLabel: 'more' }) })).rejects.toThrow('500');
});

test('a form can be tested once before its workflow is active, including its next pages', async () => {
  const path = aPath();
  const trigger = aNode({
    name: 'Form',
    type: 'base.form-trigger',
    typeVersion: 2.5,
    parameters: { formFields: fieldsOf(nameField), responseMode: 'lastNode', options: { path } },
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

describe('access to a form', () => {
  const shared = { authentication: 'basicAuth' };

  test('can require a password, which only pages of this origin can send', async () => {
    const credential = await fleet.api.call('POST', '/credentials', {
      body: { name: 'visitors', type: 'httpBasicAuth', data: { user: 'ada', password: 'secret' } },
    });
    const path = aPath();
    const parameters = { ...shared, formFields: fieldsOf(nameField), options: { path } };
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
    // Browsers send no `Sec-Fetch-Site` over plain HTTP.
    for (const origin of ['http://evil.example', 'null', `${fleet.api.url}1`]) expect(await sentFrom({ origin })).toBe(403);
    expect(await executions(id)).toEqual([]);
    for (const origin of [fleet.api.url, 'https://sluice.example']) expect(await sentFrom({ origin })).toBe(200);
    expect(await sentFrom({ 'sec-fetch-site': 'same-origin', origin: 'null' })).toBe(200);
    expect((await send(url, { 'field-0': 'Ada' }, { headers: { authorization } })).status).toBe(200);
  });

  test('can be limited to some addresses and exclude programs', async () => {
    const far = await activate({ options: { ipWhitelist: '203.0.113.0/24' } });
    expect((await fetch(far.url)).status).toBe(403);
    const { url } = await activate({ options: { ignoreBots: true } });
    expect((await fetch(url, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } })).status).toBe(403);
  });
});

describe('the next pages', () => {
  const respondWith = (values: JsonObject) => ({ options: { respondWithOptions: { values } } });

  test('can be a string or a redirect', async () => {
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
    // On a slow machine, the response is the waiting page, which browsers reload.
    await eventually(async () => expect(await (await fetch(response.url)).text()).toContain('recorded'));
    const asJson = await send(url, { 'field-0': 'Ada' }, { headers: { accept: 'application/json' } });
    expect(await asJson.json()).toEqual({ ok: true });
    const failing = await activate({ responseMode: 'lastNode' }, [aCode('Code', `throw new Error('secret')`)]);
    const failed = await send(failing.url, { 'field-0': 'Ada' });
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  test('can be the response of a node, shown in a sandboxed page', async () => {
    const respond = aRespond({ respondWith: 'text', responseBody: '=<h1>Hi {{ $json.name }}</h1>' });
    const { url } = await activate({ responseMode: 'responseNode' }, [respond]);
    const response = await send(url, { 'field-0': 'Ada' });
    expect(await response.text()).toBe('<h1>Hi Ada</h1>');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox /);
  });
});
