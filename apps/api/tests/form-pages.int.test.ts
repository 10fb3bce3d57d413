import { describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { aForm, fieldsOf, keyIn, nameField, send, startForms } from './support/forms.ts';
import { aCode, aPath } from './support/webhook-fleet.ts';

const forms = await startForms();
const { activate, executions, itemOf } = forms;

const { fleet } = forms;

const anEnding = (parameters: JsonObject): WorkflowNode =>
  aNode({ name: 'Ending', type: 'base.form', typeVersion: 2.5, parameters: { operation: 'completion', ...parameters } });

describe('the next pages', () => {
  test('are shown in order to the user who submitted the previous page, up to the ending', async () => {
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

  test('are accepted once, even for concurrent requests', async () => {
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

  test('can redirect to another URL at the end', async () => {
    const { url } = await activate({}, [anEnding({ respondWith: 'redirect', redirectUrl: 'https://example.com/' })]);
    expect(await (await send(url, { 'field-0': 'Ada' })).text()).toContain('url=https://example.com/');
  });
});

test('a form and its next pages are immediately available at every replica', async () => {
  const { url } = await activate({}, [aForm({ fieldLabel: 'City' })]);
  const elsewhere = (address: string) => address.replace(fleet.api.url, fleet.otherUrl);
  const page = await send(elsewhere(url), { 'field-0': 'Ada' });
  expect(page.status).toBe(200);
  expect(await (await fetch(page.url.replace(fleet.otherUrl, fleet.api.url))).text()).toContain('City');
});

test.each(['order-77', 'a-key-that-looks-like-one-of-a-page'])(
  'the Idempotency-Key of a webhook request does not open the next page: %s',
  async (key) => {
    const path = aPath();
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

  test('is open to anyone with its URL, but is not shown to the user who started the workflow', async () => {
    const { id, url } = await activate({}, [link, aWait(), aForm(nameField)]);
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

  test('shows its text and is then complete', async () => {
    const text = { options: { respondWithOptions: { values: { formSubmittedText: 'Approved.' } } } };
    const { id, url } = await activate({}, [link, aWait(text)]);
    await send(url, { 'field-0': 'Ada' });
    const address = await linkOf(id);
    expect(await (await send(address, { 'field-0': 'no' })).text()).toContain('Approved.');
    expect((await send(address, { 'field-0': 'yes' })).status).toBe(409);
    expect((await fetch(`${address}x`)).status).toBe(404);
  });
});
