import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { communityBench, type NodeCredentials, publicUrl, secret } from './support/community-bench.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { WebSocketServer } from './support/web-socket-server.ts';
import { aCode } from './support/workflows.ts';

const chatWoot = '@devlikeapro/n8n-nodes-chatwoot';
const respondIo = '@respond-io/n8n-nodes-respond-io';
const blotato = '@blotato/n8n-nodes-blotato';
const convertImage = 'n8n-nodes-convert-image';
const openHab = '@openhab/n8n-nodes-openhab';
const unifi = 'n8n-nodes-unifi-access';
const bench = await communityBench();

/** A one-pixel image. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const jsonOf = (items: { json: JsonObject }[]) => items.map(({ json }) => json);
const bodyOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString('utf8'));

function anImage(fileName: string): WorkflowNode[] {
  const options = { fileName, mimeType: 'image/png' };
  const parameters = { operation: 'toBinary', sourceProperty: 'image', options };
  return [
    aCode('Items', `return [{ json: { image: '${png}' } }];`),
    aNode({ name: 'File', type: 'base.convert-to-file', typeVersion: 1.1, parameters }),
  ];
}

async function methodOf(type: string, method: string, body: object) {
  const path = `/node-types/${encodeURIComponent(type)}/methods/${method}`;
  return expectStatus(await bench.service.call('POST', path, body), 200).data;
}

interface RunData {
  data: { resultData: { runData: Record<string, [{ data: { main: { json: JsonObject }[][] } }]> } };
}

/** Creates and activates a workflow whose trigger is the node. */
async function activated(node: Partial<WorkflowNode> & Pick<WorkflowNode, 'type'>): Promise<string> {
  const graph = aChain([aNode({ name: 'Trigger', ...node }), aNode({ name: 'End', type: 'base.no-op' })]);
  const id = await createWorkflow(bench.service, graph);
  expectStatus(await bench.service.call('POST', `/workflows/${id}/activate`, {}), 200);
  return id;
}

/**
 * Output of the trigger in each execution of the workflow, newest first, once there are `count`
 * executions.
 */
async function itemsOf(workflow: string, count: number): Promise<JsonObject[][]> {
  const path = `/executions?workflowId=${workflow}&includeData=true`;
  const executions = await eventually(async () => {
    const { data } = expectStatus(await bench.service.call('GET', path), 200);
    return data.length >= count && data.every(({ status }: { status: string }) => status === 'success') && data;
  });
  return executions.map(({ data }: RunData) => jsonOf(data.resultData.runData['End']?.[0].data.main[0] ?? []));
}

bench.describePackage(chatWoot, 'declarative, generated from an OpenAPI document', () => {
  const type = `${chatWoot}.chatWoot`;
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.createCredential('chatwootApi', { url: bench.remote.url, accessToken: secret });
  });

  test('parameters and their defaults become the path and the query', async () => {
    bench.remote.respond('GET /api/v1/accounts/7/contacts/search', { body: { payload: [{ id: 1 }] } });
    const parameters = { resource: 'Contacts', operation: 'Contact Search', account_id: 7, q: '={{ $json.name }} & co' };
    const { items } = await bench.runNode({ type, parameters, credentials }, [{ name: 'Ann' }]);
    expect(jsonOf(items)).toEqual([{ payload: [{ id: 1 }] }]);
    const [request] = bench.remote.requests;
    expect(request?.headers).toMatchObject({ 'api-access-token': secret, accept: 'application/json' });
    expect(Object.fromEntries(new URL(request?.path ?? '', bench.remote.url).searchParams)).toEqual({
      q: 'Ann & co',
      sort: 'name',
      page: '1',
    });
  });

  test('parameters of all types become the body, including a JSON string', async () => {
    bench.remote.respond('POST /api/v1/accounts/7/contacts', { body: { payload: { contact: { id: 12 } } } });
    const parameters = {
      resource: 'Contacts',
      operation: 'Contact Create',
      account_id: 7,
      inbox_id: 3,
      name: 'Ann',
      custom_attributes: '{"vip":true}',
    };
    const { status } = await bench.runNode({ type, parameters, credentials });
    expect(status).toBe('success');
    expect(bench.remote.requests.map(bodyOf)).toEqual([
      expect.objectContaining({ inbox_id: 3, name: 'Ann', email: '', custom_attributes: { vip: true } }),
    ]);
  });

  test('the credential test sends the request that the credential type defines', async () => {
    bench.remote.respond('GET /api', { body: {} });
    expect(await bench.testCredential('chatwootApi', credentials)).toMatchObject({ status: 'success' });
  });
});

bench.describePackage(respondIo, 'versioned, with one object per version', () => {
  const types = ['respondio', 'respondioTrigger'].map((name) => `${respondIo}.${name}`);

  test.each(types)('%s is described by its only version, and other versions are rejected', async (type) => {
    const { body } = await bench.service.call('GET', `/node-types/${encodeURIComponent(type)}`);
    expect(body).toMatchObject({ type, version: [1], credentials: [{ name: 'respondIoApi', required: true }] });
    expect(body.properties.length).toBeGreaterThan(0);
    const { error } = await bench.runNode({ type, typeVersion: 7 });
    expect(error).toMatchObject({ code: 'UNKNOWN_NODE_TYPE_VERSION' });
  });

  test('a load-options method of the version gets the parameters that it depends on', async () => {
    const credentials = await bench.createCredential('respondIoApi', { apiKey: secret });
    const parameters = { triggerEventType: 'contact.updated', contactFieldType: 'standard_field' };
    const body = { credentials, parameters, typeVersion: 1 };
    expect(await methodOf(`${respondIo}.respondioTrigger`, 'loadOptions/getContactFields', body)).toContainEqual({
      name: 'First Name',
      value: 'firstName',
    });
  });
});

bench.describePackage(blotato, 'several versions in one object, file input, list search', () => {
  const type = `${blotato}.blotato`;
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.createCredential('blotatoApi', { server: bench.remote.url, apiKey: secret });
  });

  test('a file of an earlier node becomes the request body', async () => {
    bench.remote.respond('POST /v2/media', { body: { url: 'https://media.example/1.png' } });
    const parameters = { resource: 'media', operation: 'upload', useBinaryData: true };
    const upload = aNode({ name: 'Node', type, typeVersion: 2, parameters, credentials });
    const { items } = await bench.runChain([...anImage('dot.png'), upload]);
    expect(jsonOf(items)).toEqual([{ url: 'https://media.example/1.png' }]);
    expect(bench.remote.requests).toMatchObject([{ headers: { 'blotato-api-key': secret } }]);
    expect(bench.remote.requests.map(bodyOf)).toEqual([{ url: `data:image/png;base64,${png}` }]);
  });

  test('a version that the node does not have is rejected', async () => {
    const { error } = await bench.runNode({ type, typeVersion: 1, credentials });
    expect(error).toMatchObject({ code: 'UNKNOWN_NODE_TYPE_VERSION' });
  });

  test('a list search gets the value of another parameter', async () => {
    bench.remote.respond('GET /v2/users/me/accounts', { body: { items: [{ id: 'a-7', username: 'ann' }] } });
    const body = { credentials, parameters: { resource: 'post', operation: 'create', platform: 'bluesky' } };
    const { results } = await methodOf(type, 'listSearch/getAccounts', body);
    expect(results).toMatchObject([{ name: 'ann', value: 'a-7' }]);
    expect(bench.remote.requests).toMatchObject([{ path: '/v2/users/me/accounts?platform=bluesky' }]);
  });
});

bench.describePackage(convertImage, 'file input and output, with a library of its own', () => {
  test('reads the file of an item, detects its type, and returns a converted file', async () => {
    const type = `${convertImage}.imageFormatConverter`;
    const parameters = { outputFileFormat: 'image/bmp' };
    const extract = { operation: 'binaryToPropery', binaryPropertyName: 'data', options: { keepSource: 'both' } };
    const { items, error } = await bench.runChain([
      ...anImage('dot.png'),
      aNode({ name: 'Node', type, parameters }),
      aNode({ name: 'Bytes', type: 'base.extract-from-file', typeVersion: 1.1, parameters: extract }),
    ]);
    expect(error).toBeUndefined();
    expect(items).toMatchObject([{ binary: { data: { mimeType: 'image/bmp' } } }]);
    expect(Buffer.from(items[0].json.data, 'base64').toString('latin1', 0, 2)).toBe('BM');
  });

  test('fails with an error if the file is not an image', async () => {
    const { error } = await bench.runChain([
      aCode('Items', "return [{ json: { text: 'no image' } }];"),
      aNode({
        name: 'File',
        type: 'base.convert-to-file',
        typeVersion: 1.1,
        parameters: { operation: 'toText', sourceProperty: 'text' },
      }),
      aNode({ name: 'Node', type: `${convertImage}.imageFormatConverter` }),
    ]);
    expect(error).toMatchObject({ code: 'NODE_OPERATION_ERROR', message: 'No image data exists on item!' });
  });
});

bench.describePackage(openHab, 'programmatic, with a listener', () => {
  const stopAfterEach = stopIn(afterEach);
  const credentialFor = (baseUrlLocal: string) => bench.createCredential('openHABApi', { baseUrlLocal, token: secret });

  test('authenticates with headers that the credential computes synchronously, and sends plain text', async () => {
    bench.remote.respond('POST /rest/items/Lamp', { status: 202, body: Buffer.from('') });
    const credentials = await credentialFor(bench.remote.url);
    const parameters = { resource: 'item', itemOperation: 'command', itemName: 'Lamp', command: '={{ $json.state }}' };
    const { items } = await bench.runNode({ type: `${openHab}.openHab`, parameters, credentials }, [{ state: 'ON' }]);
    expect(items).toEqual([{ json: { item: 'Lamp', command: 'ON', statusCode: 202 }, pairedItem: { item: 0 } }]);
    const [request] = bench.remote.requests;
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'x-openhab-token': secret,
      'content-type': expect.stringMatching(/^text\/plain/),
    });
    expect(request?.body.toString()).toBe('ON');
  });

  test('a 404 response becomes an error of the package', async () => {
    const credentials = await credentialFor(bench.remote.url);
    const parameters = { resource: 'item', itemOperation: 'get', itemName: 'Nothing' };
    const { error } = await bench.runNode({ type: `${openHab}.openHab`, parameters, credentials });
    expect(error).toMatchObject({ message: expect.stringMatching(/^openHAB request failed with status 404/) });
  });

  test('the credential test sends headers that the credential computes synchronously', async () => {
    bench.remote.respond('GET /rest/items', { body: [] });
    const credentials = await credentialFor(bench.remote.url);
    expect(await bench.testCredential('openHABApi', credentials)).toMatchObject({ status: 'success' });
    expect(bench.remote.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
  });

  test('an event starts a run; a broken connection is reopened; deactivation closes it', async () => {
    const bus = stopAfterEach(await WebSocketServer.start());
    const credentials = await credentialFor(bus.url);
    const parameters = { topicFilters: 'openhab/items/*/command' };
    const id = await activated({ type: `${openHab}.openHabTrigger`, parameters, credentials });
    const event = (n: number) => ({ type: 'ItemCommandEvent', topic: 'openhab/items/Lamp/command', payload: `{"value":${n}}` });
    await bus.broadcast(event(1));
    expect(await itemsOf(id, 1)).toMatchObject([[{ type: 'ItemCommandEvent', payload: { value: 1 } }]]);
    expect(bus.handshakes[0]).toMatchObject({ authorization: `Bearer ${secret}` });
    expect(bus.received.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({ topic: 'openhab/websocket/filter/topic', payload: '["openhab/items/*/command"]' }),
    );
    bus.hangUp();
    await eventually(() => bus.handshakes.length === 2);
    await bus.broadcast(event(2));
    expect(await itemsOf(id, 2)).toMatchObject([[{ payload: { value: 2 } }], [{ payload: { value: 1 } }]]);
    expectStatus(await bench.service.call('POST', `/workflows/${id}/deactivate`, {}), 200);
    await eventually(() => bus.connections === 0);
  });
});

bench.describePackage(unifi, 'registers its URL and verifies signatures', () => {
  const hooks = '/api/v1/developer/webhooks/endpoints';
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.createCredential('unifiAccessApi', { url: bench.remote.url, accessToken: secret });
  });

  /** Sends a signed request, as the remote service does. */
  const send = (endpoint: string, body: string, key: string) => {
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', key).update(`${time}.${body}`).digest('hex');
    return fetch(endpoint.replace(publicUrl, bench.service.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', signature: `t=${time},v1=${signature}` },
      body,
    });
  };

  test('a request starts a run only if its signature is valid', async () => {
    const key = 'agreed-on';
    const hook = { id: 'h-1', events: ['access.door.unlock'], secret: key };
    bench.remote.respond(`POST ${hooks}`, { body: { code: 'SUCCESS', data: hook } });
    bench.remote.respond(`GET ${hooks}`, { body: { code: 'SUCCESS', data: [hook] } });
    bench.remote.respond(`DELETE ${hooks}/h-1`, { body: { code: 'SUCCESS' } });
    const parameters = { events: ['access.door.unlock'] };
    const id = await activated({ type: `${unifi}.unifiAccessTrigger`, parameters, credentials });
    const [request] = bench.remote.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${secret}`);
    const { endpoint, events } = bodyOf(request ?? { body: Buffer.from('{}') });
    expect(events).toEqual(['access.door.unlock']);
    const refused = await send(endpoint, '{"event":"access.door.unlock"}', 'another');
    expect([refused.status, await refused.text()]).toEqual([401, 'Unauthorized']);
    expect((await send(endpoint, '{"event":"access.door.unlock","n":1}', key)).status).toBe(200);
    expect(await itemsOf(id, 1)).toEqual([[{ event: 'access.door.unlock', n: 1 }]]);
    expectStatus(await bench.service.call('POST', `/workflows/${id}/deactivate`, {}), 200);
    await eventually(() => bench.remote.requests.some(({ method, path }) => method === 'DELETE' && path === `${hooks}/h-1`));
  });

  describe('requests', () => {
    const type = `${unifi}.unifiAccess`;

    test('an error in a 200 response fails the run', async () => {
      bench.remote.respond('GET /api/v1/developer/users/u-1', { body: { code: 'CODE_NOT_EXISTS', msg: 'no such user' } });
      const parameters = { resource: 'user', operation: 'get', userId: 'u-1' };
      const { error } = await bench.runNode({ type, parameters, credentials });
      expect(error).toMatchObject({ code: 'NODE_OPERATION_ERROR', message: 'CODE_NOT_EXISTS', description: 'no such user' });
    });

    test('loads the options of a parameter', async () => {
      bench.remote.respond('GET /api/v1/developer/access_policies', {
        body: { code: 'SUCCESS', data: [{ id: 'p-1', name: 'Night' }] },
      });
      expect(await methodOf(type, 'loadOptions/getAccessPolicies', { credentials })).toEqual([{ name: 'Night', value: 'p-1' }]);
    });
  });
});
