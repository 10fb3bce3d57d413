import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { HookFleet } from './support/hook-fleet.ts';

const fleet = await HookFleet.start();
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

describe('a request to a webhook that its node type handles', () => {
  let id: string;
  const post = (body: object) =>
    fetch(fleet.hookUrl(id), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

  beforeAll(async () => {
    ({ id } = await fleet.aHook());
    expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
  });

  test("starts an execution with the type's items", async () => {
    await fleet.work();
    const received = (await (await post({ kind: 'event' })).json()) as { executionId: string };
    expect(received).toMatchObject({ message: 'Workflow was started' });
    await eventually(async () => {
      const { body } = await fleet.call('GET', `/executions/${received.executionId}?includeData=true`);
      expect(body).toMatchObject({ status: 'success', mode: 'webhook' });
      const [run] = body.data.resultData.runData.Hook;
      expect(run.data.main[0][0].json).toMatchObject({ got: { kind: 'event' }, raw: '{"kind":"event"}', from: '127.0.0.1' });
    });
  });

  test('gets the response of the type, which then starts nothing', async () => {
    const before = (await fleet.call('GET', '/executions')).body.data.length;
    const setup = await fetch(`${fleet.hookUrl(id)}?challenge=7`);
    expect([setup.status, await setup.text()]).toEqual([200, 'challenge 7']);
    const custom = await post({ kind: 'custom' });
    expect([custom.status, custom.headers.get('x-own'), await custom.text()]).toEqual([202, 'yes', 'mine']);
    expect((await post({ kind: 'secret' })).status).toBe(200);
    expect((await fleet.call('GET', '/executions')).body.data.length).toBe(before);
  });

  test('gives the type the URLs of all webhooks of its node', async () => {
    const received = await post({ kind: 'addresses' });
    expect([received.status, await received.json()]).toEqual([200, [fleet.hookUrl(id), fleet.hookUrl(id)]]);
  });

  test('reveals no secret of a credential to clients or executions', async () => {
    await fleet.work();
    const received = await post({ kind: 'discloses' });
    expect([received.status, await received.json()]).toEqual([200, { token: 'is ***REDACTED***' }]);
    await eventually(async () => {
      const { body } = await fleet.call('GET', '/executions?includeData=true');
      expect(body.data[0].status).toBe('success');
      expect(JSON.stringify(body)).toContain('"token":"is ***REDACTED***"');
      expect(JSON.stringify(body)).not.toContain('good-token');
    });
  });

  test('stores the data that the nodes of its workflow share, unless the type throws', async () => {
    const shares = async () => (await post({ kind: 'shares' })).json();
    expect([await shares(), await shares()]).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await post({ kind: 'shares-and-throws' })).status).toBe(500);
    expect(await shares()).toEqual({ n: 3 });
  });

  test('can store files, which the execution references, and its URL is passed unchanged', async () => {
    await fleet.work();
    const response = await fetch(`${fleet.hookUrl(id)}?q=%31&q=2`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"kind":"files"}',
    });
    const { executionId } = (await response.json()) as { executionId: string };
    await eventually(async () => {
      const { body } = await fleet.call('GET', `/executions/${executionId}?includeData=true`);
      expect(body).toMatchObject({ status: 'success' });
      const [item] = body.data.resultData.runData.Hook[0].data.main[0];
      expect(item.json.target).toBe(`${new URL(fleet.hookUrl(id)).pathname}?q=%31&q=2`);
      expect(item.binary).toMatchObject({
        file: { fileName: 'a.txt', fileSize: 14 },
        copy: { fileName: 'b.txt', fileSize: 14 },
      });
    });
  });

  test('gets a 500 without the error if the type throws', async () => {
    const received = await post({ kind: 'throws' });
    const body = await received.json();
    expect([received.status, (body as { code: string }).code]).toEqual([500, 'WEBHOOK_FAILED']);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('provides the type with the state of its workflow, active or not, even at a test URL', async () => {
    const { id: triedId } = await fleet.aHook('tried', 'acme.hook-trigger', { level: '={{ "active: " + $workflow.active }}' });
    const responseAt = async (base: string) =>
      (await fetch(`${fleet.hookUrl(triedId, 'tried', base)}?level`, { method: 'POST' })).text();
    expect((await fleet.call('POST', `/workflows/${triedId}/test-urls`)).status).toBe(200);
    expect(await responseAt('webhook-test')).toBe('active: false');
    expect((await fleet.call('POST', `/workflows/${triedId}/activate`)).status).toBe(200);
    expect([await responseAt('webhook-test'), await responseAt('webhook')]).toEqual(['active: true', 'active: true']);
  });

  test('with another method is rejected', async () => {
    expect((await fetch(fleet.hookUrl(id), { method: 'PUT' })).status).toBe(405);
  });
});
