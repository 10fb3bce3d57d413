import { beforeAll, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { communityBench, type NodeCredentials, secret } from './support/community-bench.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { aCode } from './support/workflows.ts';

jest.setTimeout(60_000);

const globals = 'n8n-nodes-globals';
const textManipulation = 'n8n-nodes-text-manipulation';
const iris = 'n8n-nodes-dfir-iris';
const twenty = 'n8n-nodes-twentycrm-pro';
const waha = '@devlikeapro/n8n-nodes-waha';
const bench = await communityBench();

bench.describePackage(globals, 'without a network, its data from a credential', () => {
  test('adds the fields of the credential to each item, and leaves the items of others as they are', async () => {
    const credentials = await bench.aCredential('globalConstantsApi', {
      format: 'string',
      globalConstants: 'stage=test\nlimit=7=8',
    });
    const source = aCode('Items', 'return [{ json: { n: 1 } }, { json: { n: 2 } }];');
    const node = aNode({ name: 'Node', type: `${globals}.globalConstants`, credentials });
    const after = aCode(
      'After',
      "return $('Items').all().map(({ json }, index) => ({ json: { before: json, after: $input.all()[index].json } }));",
    );
    const { items } = await bench.runChain([source, node, after]);
    const constants = { stage: 'test', limit: '7=8' };
    expect(items.map((item: { json: JsonObject }) => item.json)).toEqual([
      { before: { n: 1 }, after: { n: 1, constants } },
      { before: { n: 2 }, after: { n: 2, constants } },
    ]);
  });
});

bench.describePackage(textManipulation, 'binary', () => {
  test('reads a file of an earlier node and makes one for the next, with the defaults of nested parameters', async () => {
    const dataSource: JsonObject[] = [
      { readOperation: 'fromFile', writeOperation: 'toFile', destinationBinaryPropertyName: 'loud', fileName: 'loud.txt' },
      { readOperation: 'fromText', text: 'Quiet', destinationKey: 'quiet' },
    ];
    const manipulation: JsonObject[] = [
      { action: 'letterCase', caseType: 'upperCase' },
      { action: 'concat', after: '!' },
    ];
    const entry = { dataSources: { dataSource }, manipulations: { manipulation } };
    const parameters = { textsWithManipulations: { textsWithManipulationsValues: [entry] } };
    const { items } = await bench.runChain([
      aCode('Items', "return [{ json: { text: 'grüße' } }];"),
      aNode({
        name: 'File',
        type: 'base.convert-to-file',
        typeVersion: 1.1,
        parameters: { operation: 'toText', sourceProperty: 'text' },
      }),
      aNode({ name: 'Node', type: `${textManipulation}.textManipulation`, parameters }),
      aCode(
        'Look',
        'return $input.all().map(({ json, binary }) => ({ json: { ...json, fileName: binary.loud.fileName, mimeType: binary.loud.mimeType }, binary }));',
      ),
      aNode({
        name: 'Text',
        type: 'base.extract-from-file',
        typeVersion: 1.1,
        parameters: { operation: 'text', binaryPropertyName: 'loud', options: { keepSource: 'json' } },
      }),
    ]);
    expect(items.map((item: { json: JsonObject }) => item.json)).toEqual([
      { quiet: 'QUIET!', data: 'GRÜSSE!', fileName: 'loud.txt', mimeType: 'text/plain' },
    ]);
  });
});

bench.describePackage(iris, 'versioned', () => {
  const type = `${iris}.dfirIris`;
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.aCredential('dfirIrisApi', {
      isHttp: true,
      host: new URL(bench.remote.url).host,
      accessToken: secret,
    });
  });

  test('describes its versions, and is told the ones that it lacks', async () => {
    const { body } = await bench.service.call('GET', `/node-types/${encodeURIComponent(type)}`);
    expect(body).toMatchObject({ type, name: 'dfirIris', version: [1] });
    const { error } = await bench.runNode({ type, typeVersion: 7, credentials });
    expect(error).toMatchObject({ code: 'UNKNOWN_NODE_TYPE_VERSION' });
  });

  test('sends a file as a form', async () => {
    bench.remote.answer('POST /datastore/file/add/12', { body: { status: 'success', data: { file_id: 5 } } });
    const parameters = {
      resource: 'datastoreFile',
      operation: 'uploadFile',
      cid: 3,
      folderId: '12',
      additionalFields: { file_description: 'a note' },
    };
    const { items } = await bench.runChain([
      aCode('Items', "return [{ json: { text: 'evidence' } }];"),
      aNode({
        name: 'File',
        type: 'base.convert-to-file',
        typeVersion: 1.1,
        parameters: { operation: 'toText', sourceProperty: 'text', options: { fileName: 'note.txt' } },
      }),
      aNode({ name: 'Node', type, typeVersion: 1, parameters, credentials }),
    ]);
    expect(items).toEqual([{ json: { file_id: 5 }, pairedItem: { item: 0 } }]);
    const [request] = bench.remote.requests;
    expect(request).toMatchObject({ path: '/datastore/file/add/12?cid=3', headers: { authorization: `Bearer ${secret}` } });
    const form = await new Response(request?.body, {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    expect(form.get('file_description')).toBe('a note');
    const file = form.get('file_content') as File;
    expect([file.name, await file.text()]).toEqual(['note.txt', 'evidence']);
  });

  test('the credential tests itself by an expression with conditions', async () => {
    bench.remote.answer('GET /api/ping', { body: { status: 'success' } });
    expect(await bench.testCredential('dfirIrisApi', credentials)).toMatchObject({ status: 'success' });
    expect(bench.remote.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
  });
});

bench.describePackage(twenty, 'polls, and searches in lists', () => {
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.aCredential('twentyCrmApi', { serverUrl: bench.remote.url, apiKey: secret });
  });

  test('finds choices for a parameter', async () => {
    bench.remote.answer('GET /rest/companies', { body: { data: { companies: [{ id: 'c-7', name: 'Acme' }] } } });
    const path = `/node-types/${encodeURIComponent(`${twenty}.twentyCrm`)}/methods/listSearch/searchCompanies`;
    const { data } = expectStatus(await bench.service.call('POST', path, { credentials, filter: 'ac' }), 200);
    expect(data).toEqual({ results: [{ name: 'Acme', value: 'c-7' }] });
    const [request] = bench.remote.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(new URL(request?.path ?? '', bench.remote.url).searchParams.get('filter')).toBe('name[ilike]:"%ac%"');
  });

  test('starts a run for what is new, and remembers how far it is', async () => {
    const batches = [[{ id: 'c-1' }], [{ id: 'c-2' }]];
    bench.remote.answer('GET /rest/companies', () => ({
      body: { data: { companies: batches.shift() ?? [] }, pageInfo: { hasNextPage: false } },
    }));
    const pollTimes = { item: [{ mode: 'custom', cronExpression: '* * * * * *' }] };
    const poller = aNode({
      name: 'Poller',
      type: `${twenty}.twentyCrmTrigger`,
      parameters: { event: 'created', pollTimes },
      credentials,
    });
    const id = await createWorkflow(bench.service, aChain([poller, aNode({ name: 'End', type: 'base.no-op' })]));
    expectStatus(await bench.service.call('POST', `/workflows/${id}/activate`, {}), 200);
    const runs = await eventually(
      async () => {
        const { data } = expectStatus(
          await bench.service.call('GET', `/executions?workflowId=${id}&status=success&includeData=true`),
          200,
        );
        return data.length >= 2 && data;
      },
      { timeoutMs: 30_000 },
    );
    await bench.service.call('POST', `/workflows/${id}/deactivate`, {});
    const seen = runs.map(
      ({ data }: { data: { resultData: { runData: { End: { data: { main: [{ json: JsonObject }[]] } }[] } } } }) =>
        data.resultData.runData.End[0]?.data.main[0].map(({ json }) => json['id']),
    );
    expect(seen.flat().sort()).toEqual(['c-1', 'c-2']);
    const filters = bench.remote.requests.map(({ path }) => new URL(path, bench.remote.url).searchParams.get('filter'));
    expect(bench.remote.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(new Set(filters.slice(0, 3)).size).toBeGreaterThan(1);
  });
});

bench.describePackage(waha, 'has a webhook', () => {
  test('starts a run for a call that it takes, at the output that it chooses, and none for others', async () => {
    const type = `${waha}.wahaTrigger`;
    const { outputs, webhooks } = expectStatus(await bench.service.call('GET', `/node-types/${encodeURIComponent(type)}`), 200);
    const graph = aChain([
      aNode({ name: 'Hook', type, webhookId: `hook-${process.pid}` }),
      aCode('End', 'return $input.all();'),
    ]);
    const everyOutput = { Hook: { main: outputs.map(() => [{ node: 'End', type: 'main', index: 0 }]) } };
    const id = await createWorkflow(bench.service, { ...graph, connections: everyOutput });
    expectStatus(await bench.service.call('POST', `/workflows/${id}/activate`, {}), 200);
    const send = (body: object) =>
      fetch(`${bench.service.url}/webhook/hook-${process.pid}/${webhooks[0].path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const statuses = [
      (await send({ event: 'no such event' })).status,
      (await send({ event: 'message', payload: { id: 'm-1' } })).status,
    ];
    expect(statuses).toEqual([200, 200]);
    const { data } = await eventually(async () => {
      const listed = expectStatus(await bench.service.call('GET', `/executions?workflowId=${id}&includeData=true`), 200).data;
      return listed.length > 0 && listed[0].status === 'success' && listed[0];
    });
    expect(data.resultData.runData.End[0].data.main[0][0].json).toEqual({ event: 'message', payload: { id: 'm-1' } });
    expect(expectStatus(await bench.service.call('GET', `/executions?workflowId=${id}`), 200).data).toHaveLength(1);
  });
});
