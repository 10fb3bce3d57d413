import { createSecretKey } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { jwtVerify } from 'jose';
import { aCode, aPath, aRespond, aSet, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet();
afterAll(() => fleet.close());

describe('a response of a node', () => {
  const after = aSet('After', '={{ { late: true } }}');

  test.each<[JsonObject, number, string, string]>([
    [{}, 200, 'application/json; charset=utf-8', '{"n":1}'],
    [{ respondWith: 'text', responseBody: '=<b>{{ $json.n }}</b>' }, 200, 'text/html; charset=utf-8', '<b>1</b>'],
    [
      { respondWith: 'json', responseBody: '={{ { twice: $json.n * 2 } }}', options: { responseCode: 201 } },
      201,
      'application/json; charset=utf-8',
      '{"twice":2}',
    ],
  ])('with %j is sent while the workflow continues', async (parameters, status, type, text) => {
    const path = aPath();
    const slow = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 1 } });
    const id = await fleet.activate({ path, responseMode: 'responseNode' }, [
      aSet('Set', '={{ { n: 1 } }}'),
      aRespond(parameters),
      slow,
      after,
    ]);
    const response = await fleet.call(path);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([status, type, text]);
    expect(await fleet.statusesOf(id)).not.toEqual(['success']);
  });

  test('can be a redirect, empty, or a file', async () => {
    const [redirect, nothing, file] = [aPath(), aPath(), aPath()];
    const mode = { responseMode: 'responseNode' };
    await fleet.activate({ path: redirect, ...mode }, [
      aRespond({ respondWith: 'redirect', redirectURL: 'https://example.com/x' }),
    ]);
    const moved = await fleet.call(redirect, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([307, 'https://example.com/x']);
    await fleet.activate({ path: nothing, ...mode }, [aRespond({ respondWith: 'noData', options: { responseCode: 204 } })]);
    expect((await fleet.call(nothing)).status).toBe(204);
    await fleet.activate({ path: file, httpMethod: 'POST', ...mode }, [aRespond({ respondWith: 'binary' })]);
    const response = await fleet.call(file, { method: 'POST', body: 'abc', headers: { 'content-type': 'image/gif' } });
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['image/gif', 'abc']);
  });

  test('keeps all cookies, for the addresses of its workflow only, like other webhook responses', async () => {
    const [node, atOnce, streaming] = [aPath(), aPath(), aPath()];
    const entries = [
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'set-cookie', value: 'b=1; Path=/webhook' },
    ];
    const options = { responseHeaders: { entries } };
    await fleet.activate({ path: node, responseMode: 'responseNode' }, [aRespond({ options })]);
    await fleet.activate({ path: atOnce, options });
    await fleet.activate({ path: streaming, responseMode: 'streaming', options }, [aRespond({}, 1.5)]);
    for (const path of [node, atOnce, streaming]) {
      const response = await fleet.call(path);
      const cookies = ['a', 'b'].map((name) => `${name}=1; Path=/webhook/${path}`);
      expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 200, cookies]);
      await response.text();
    }
  });

  const two = aCode('Code', 'return [{ json: { n: 1 } }, { json: { n: 2 } }]');

  test.each<[number, JsonObject, unknown]>([
    [1, { respondWith: 'allIncomingItems' }, [{ n: 1 }, { n: 2 }]],
    [1.1, { respondWith: 'firstIncomingItem', options: { responseKey: 'data' } }, { data: { n: 1 } }],
    [1.2, { respondWith: 'allIncomingItems', options: { responseKey: 'a.b' } }, { a: { b: [{ n: 1 }, { n: 2 }] } }],
    [1.3, { respondWith: 'json', responseBody: '{"ok":true}' }, { ok: true }],
    [1.4, { respondWith: 'firstIncomingItem' }, { n: 1 }],
    [1.5, { respondWith: 'allIncomingItems' }, [{ n: 1 }, { n: 2 }]],
  ])('of version %d with %j is %j', async (typeVersion, parameters, expected) => {
    const path = aPath();
    await fleet.activate({ path, responseMode: 'responseNode' }, [two, aRespond(parameters, typeVersion)]);
    expect(await (await fleet.call(path)).json()).toEqual(expected);
  });

  test('can be a token that is signed with a credential', async () => {
    const path = aPath();
    const secret = 'a-secret-of-some-length-for-hs256';
    const { body } = await fleet.api.call('POST', '/credentials', {
      body: { name: 'c', type: 'jwtAuth', data: { keyType: 'passphrase', secret, algorithm: 'HS256' } },
    });
    const credentials = { jwtAuth: { id: body.id, name: 'c' } };
    const respond = { ...aRespond({ respondWith: 'jwt', payload: '{"sub":"me"}' }), credentials };
    await fleet.activate({ path, responseMode: 'responseNode' }, [two, respond]);
    const { token } = (await (await fleet.call(path)).json()) as { token: string };
    const verified = await jwtVerify(token, createSecretKey(Buffer.from(secret)), { algorithms: ['HS256'] });
    expect(verified.payload.sub).toBe('me');
  });

  test('is also sent to the second output if the node has one', async () => {
    const path = aPath();
    const respond = aRespond({
      enableResponseOutput: true,
      respondWith: 'text',
      responseBody: 'hi',
      options: { responseCode: 202 },
    });
    const webhook = aNode({
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2.1,
      parameters: { path, responseMode: 'responseNode' },
    });
    const to = (node: string) => [{ node, type: 'main', index: 0 }];
    const { body } = await fleet.api.call('POST', '/workflows', {
      body: {
        name: 'w',
        nodes: [webhook, respond, aSet('Input', '={{ $json }}'), aSet('ApiResponse', '={{ $json }}')],
        connections: { Webhook: { main: [to('Respond')] }, Respond: { main: [to('Input'), to('ApiResponse')] } },
        settings: {},
      },
    });
    await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect((await fleet.call(path)).status).toBe(202);
    await eventually(async () => {
      const list = await fleet.api.call('GET', `/executions?workflowId=${body.id}&includeData=true`);
      const text = JSON.stringify(list.body);
      return text.includes('"ApiResponse"') && text.includes('"statusCode":202') && text.includes('"success"');
    });
  });

  test('has the headers of the workflow, except for headers that only the server may set', async () => {
    const entries = [
      { name: 'X-Own', value: 'yes' },
      { name: 'Content-Length', value: '1' },
      { name: 'Transfer-Encoding', value: 'chunked' },
      { name: 'Connection', value: 'upgrade' },
      { name: 'Content-Security-Policy', value: 'default-src *' },
    ];
    const path = aPath();
    await fleet.activate({ path, responseMode: 'responseNode' }, [
      aRespond({ respondWith: 'text', responseBody: '<script>1</script>', options: { responseHeaders: { entries } } }),
    ]);
    const response = await fleet.call(path);
    expect(await response.text()).toBe('<script>1</script>');
    expect(response.headers.get('x-own')).toBe('yes');
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox /);
    expect(response.headers.get('content-length')).toBe('18');
  });

  test('is a default message if the workflow succeeds without sending it, and an error if it fails', async () => {
    const [well, failing] = [aPath(), aPath()];
    await fleet.activate({ path: well, responseMode: 'responseNode' }, [after]);
    expect(await (await fleet.call(well)).json()).toMatchObject({ message: 'Workflow executed successfully' });
    await fleet.activate({ path: failing, responseMode: 'responseNode' }, [aCode('Code', 'throw new Error("x")')]);
    expect((await fleet.call(failing)).status).toBe(500);
  });

  test('is sent even if the workflow fails later, and only once', async () => {
    const path = aPath();
    const again = { ...aRespond({ respondWith: 'text', responseBody: 'second' }), name: 'Again' };
    const fail = aCode('Code', 'throw new Error("x")');
    await fleet.activate({ path, responseMode: 'responseNode' }, [
      aRespond({ respondWith: 'text', responseBody: 'first' }),
      again,
      fail,
    ]);
    expect(await (await fleet.call(path)).text()).toBe('first');
  });

  test('to a disconnected client is discarded, and the workflow continues', async () => {
    const path = aPath();
    const wait = aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters: { amount: 3 } });
    const id = await fleet.activate({ path, responseMode: 'responseNode' }, [wait, aRespond({})]);
    const rows = () => fleet.api.db.kysely.selectFrom('executions').select('status').where('workflow_id', '=', id).execute();
    const disconnected = new AbortController();
    const request = fleet.call(path, { signal: disconnected.signal });
    await eventually(async () => (await rows()).length === 1);
    disconnected.abort(new Error('the client has disconnected'));
    await expect(request).rejects.toThrow('the client has disconnected');
    await eventually(async () => expect(await rows()).toEqual([{ status: 'success' }]));
  });
});
