import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createBinaryStore, newBinaryId } from '@sluice/binary-store';
import { BinaryRepository } from '@sluice/db';
import type { BinaryReference, JsonObject } from '@sluice/domain';
import type { ExecuteContext } from '@sluice/node-sdk';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { aNode, eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { ownerKey } from './support/call-api.ts';
import { Fleet } from './support/fleet.ts';
import { probeOf } from './support/probe-of.ts';

/** Behavior of the test node with files. */
const acts = new Map<string, (context: ExecuteContext) => Promise<{ json: JsonObject; file?: BinaryReference }>>([
  ['store', async ({ binary }) => ({ json: {}, file: await binary.store(Buffer.from('hello'), { fileName: 'a.txt' }) })],
  ['storeTooMuch', async ({ binary }) => ({ json: {}, file: await binary.store(endless(), {}) })],
  ['read', async (context) => ({ json: { text: (await context.binary.read(fileOf(context))).toString() } })],
  ['open', async (context) => ({ json: { text: await text(await context.binary.open(fileOf(context))) } })],
  ['readLittle', async (context) => ({ json: { text: (await context.binary.read(fileOf(context), 4)).toString() } })],
  ['readOther', async (context) => ({ json: { text: (await context.binary.read(inputFile(context))).toString() } })],
  ['wait', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))],
  [
    'storeSlowly',
    async ({ binary }) => {
      const never = async function* () {
        yield Buffer.from('half');
        await new Promise(() => undefined);
      };
      return { json: {}, file: await binary.store(never(), { fileName: 'a.txt' }) };
    },
  ],
]);

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536);
}

function fileOf(context: ExecuteContext): BinaryReference {
  return context.items()[0]?.binary?.['data'] as BinaryReference;
}

function inputFile(context: ExecuteContext): BinaryReference {
  return context.parameter('file', 0) as unknown as BinaryReference;
}

const probe = probeOf(async (context) => {
  const { json, file } = (await acts.get(context.parameter<string>('act', 0))?.(context)) ?? { json: {} };
  return [[{ json, ...(file && { binary: { data: file } }) }]];
});

const binaries = () => new BinaryRepository(fleet.db.kysely);

const folder = await mkdtemp(join(tmpdir(), 'files-'));
const store = createBinaryStore({ kind: 'disk', folder }, null);
const fleet = await Fleet.start({ LEASE_MS: '3000', BINARY_DIR: folder, BINARY_MAX_BYTES: '1000000' });
const worker = await fleet.work({ engine: { nodeTypes: createNodeTypeRegistry([...baseNodeTypes, probe]) } });
const api = await fleet.serve();
afterAll(async () => {
  await fleet.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  status: number;
  type: string | null;
  text: string;
}

/** Reads the whole response, because an unread body keeps its connection open. */
async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${api.port}/api/v1${path}`, {
    method,
    headers: { 'x-service-api-key': ownerKey, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

// biome-ignore lint/suspicious/noExplicitAny: tests access responses freely
const json = async (received: Promise<Answer>): Promise<any> => JSON.parse((await received).text);

/** A graph of a trigger and a chain of nodes. */
function chain(...nodes: ReturnType<typeof aNode>[]) {
  const all = [aNode({ name: 'Start', type: 'base.manual-trigger' }), ...nodes];
  const links = all.slice(1).map(({ name }, i) => [all[i]?.name, { main: [[{ node: name, type: 'main', index: 0 }]] }]);
  return { name: 'files', nodes: all, connections: Object.fromEntries(links), settings: {} };
}

const act = (name: string, parameters: JsonObject = {}) =>
  aNode({ name, type: 'base.probe', parameters: { act: name, ...parameters } });

async function run(graph: object, prefer = 'wait=10') {
  const workflow = await json(call('POST', '/workflows', graph));
  const started = call('POST', `/workflows/${workflow.id}/run`, undefined, { prefer });
  const { executionId, status, data } = await json(started);
  const itemOf = (node: string) => data.resultData.runData[node]?.[0]?.data?.main[0][0];
  return {
    workflowId: workflow.id as string,
    executionId: executionId as string,
    status,
    error: data.resultData.error,
    itemOf,
  };
}

async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const remove = (...ids: string[]) => call('POST', '/executions/delete', { ids });
const letLeftoversComeDue = () => sql`UPDATE binary_leftovers SET due_at = now() - interval '1 s'`.execute(fleet.db.kysely);

describe('files of executions', () => {
  test('are read and created by code', async () => {
    const make = aNode({
      name: 'Make',
      type: 'base.code',
      typeVersion: 2,
      parameters: { jsCode: 'return [{ binary: { f: await this.helpers.prepareBinaryData("made", "b.txt", "text/plain") } }]' },
    });
    const readNode = aNode({
      name: 'Read',
      type: 'base.code',
      typeVersion: 2,
      parameters: {
        jsCode: `const stored = await this.helpers.getBinaryDataBuffer(0, $("store").first().binary.data);
          return [{ json: { text: (await this.helpers.getBinaryDataBuffer(0, "f")) + " " + stored } }]`,
      },
    });
    const { status, itemOf } = await run(chain(act('store'), make, readNode));
    expect(status).toBe('success');
    expect(itemOf('Make').binary.f).toMatchObject({ fileName: 'b.txt', mimeType: 'text/plain', fileSize: 4 });
    expect(itemOf('Read').json).toEqual({ text: 'made hello' });
  });

  test('are stored by nodes, read by later nodes, and served by the API', async () => {
    const { status, itemOf } = await run(chain(act('store'), aNode({ name: 'Pass', type: 'base.no-op' }), act('read')));
    expect(status).toBe('success');
    const { data: file } = itemOf('store').binary;
    expect(file).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{48}$/),
      mimeType: 'text/plain',
      fileName: 'a.txt',
      fileExtension: 'txt',
      fileSize: 5,
    });
    expect(itemOf('read').json).toEqual({ text: 'hello' });
    const received = await call('GET', `/binary-data/${file.id}`);
    expect([received.status, received.type, received.text]).toEqual([200, 'text/plain', 'hello']);
  });

  test('are also available as a stream, and are rejected if the node accepts fewer bytes', async () => {
    expect((await run(chain(act('store'), act('open')))).itemOf('open').json).toEqual({ text: 'hello' });
    expect((await run(chain(act('store'), act('readLittle')))).error).toMatchObject({
      code: 'BINARY_TOO_LARGE',
      node: 'readLittle',
    });
  });

  test('above the limit fail the node and leave nothing stored', async () => {
    const before = await filesOnDisk();
    const { status, error } = await run(chain(act('storeTooMuch')));
    expect([status, error.code, error.message]).toEqual([
      'error',
      'BINARY_TOO_LARGE',
      'the file would exceed the limit of 1000000 bytes',
    ]);
    expect(await filesOnDisk()).toEqual(before);
  });

  test('are not accessible from another project, whatever IDs a workflow contains', async () => {
    const { itemOf } = await run(chain(act('store')));
    const { data: file } = itemOf('store').binary;
    const own = await run(chain(act('readOther', { file })));
    expect(own.itemOf('readOther').json).toEqual({ text: 'hello' });
    const { id: projectId } = await json(call('POST', '/projects', { name: 'other' }));
    const foreign = await run({ ...chain(act('readOther', { file })), projectId });
    expect(foreign.error).toMatchObject({ code: 'BINARY_NOT_FOUND' });
  });

  describe('of another project, named in an item that is passed to a workflow of that project', () => {
    /** A workflow that every project may call. */
    function aCallable(node: ReturnType<typeof aNode>, changes: object = {}) {
      const entry = aNode({ name: 'Start', type: 'base.execute-workflow-trigger', parameters: { inputSource: 'passthrough' } });
      const graph = { ...chain(node), nodes: [entry, node], settings: { callerPolicy: 'any' }, ...changes };
      return json(call('POST', '/workflows', graph));
    }

    const calls = (workflowId: string) =>
      aNode({
        name: 'Call',
        type: 'base.execute-workflow',
        typeVersion: 1.2,
        parameters: { source: 'database', workflowId: { __rl: true, mode: 'id', value: workflowId }, options: {} },
      });

    const anotherProject = async (): Promise<string> => (await json(call('POST', '/projects', { name: 'attacker' }))).id;

    /** Runs a workflow of this project with a made-up reference to a file of the first project. */
    async function attack(projectId: string, ...nodes: ReturnType<typeof aNode>[]) {
      const { itemOf } = await run(chain(act('store')));
      const { data: file } = itemOf('store').binary;
      const pinData = { Start: [{ json: {}, binary: { data: file } }] };
      return { file, ...(await run({ ...chain(...nodes), projectId, pinData })) };
    }

    test('are not read by that workflow', async () => {
      const { id } = await aCallable(act('read'));
      const { itemOf, error } = await attack(await anotherProject(), calls(id));
      expect([itemOf('Call'), error.code]).toEqual([undefined, 'NODE_OPERATION_ERROR']);
    });

    test('are not returned by that workflow', async () => {
      const { id } = await aCallable(aNode({ name: 'Pass', type: 'base.no-op' }));
      const { file, executionId, itemOf } = await attack(await anotherProject(), calls(id), act('read'));
      expect(itemOf('Call')).toEqual({ json: {}, pairedItem: { item: 0 } });
      expect(await binaries().findReadable(file.id, executionId)).toBeUndefined();
    });

    test('are not adopted by an execution in between, which may read what its sub-execution may read', async () => {
      const { id: deputyId } = await aCallable(aNode({ name: 'Pass', type: 'base.no-op' }));
      const projectId = await anotherProject();
      const between = await aCallable(calls(deputyId), { projectId });
      const { file, executionId, status } = await attack(projectId, calls(between.id));
      expect(status).toBe('success');
      expect(await binaries().findReadable(file.id, executionId)).toBeUndefined();
    });
  });

  test('are deleted with their execution, including their bytes, except files that a retry references', async () => {
    const { executionId, itemOf } = await run(chain(act('store'), act('readLittle')));
    const { id } = itemOf('store').binary.data;
    const retry = await json(call('POST', `/executions/${executionId}/retry`, {}));
    await eventually(async () => expect((await json(call('GET', `/executions/${retry.id}`))).status).toBe('error'));
    expect((await remove(executionId)).status).toBe(200);
    await letLeftoversComeDue();
    await worker.context.fileSweeper.round();
    expect((await call('GET', `/binary-data/${id}`)).status).toBe(200);
    expect((await remove(retry.id)).status).toBe(200);
    expect((await call('GET', `/binary-data/${id}`)).status).toBe(404);
    await eventually(async () => expect(await filesOnDisk()).not.toContain(id));
  });

  test('are deleted with their workflow', async () => {
    const { workflowId, itemOf } = await run(chain(act('store')));
    const { id } = itemOf('store').binary.data;
    expect(await filesOnDisk()).toContain(id);
    expect((await call('DELETE', `/workflows/${workflowId}`)).status).toBe(200);
    await eventually(async () => expect(await filesOnDisk()).not.toContain(id));
  });

  test('that a called workflow returns are kept for the caller without the execution that created them', async () => {
    const entry = aNode({ name: 'Start', type: 'base.execute-workflow-trigger', parameters: { inputSource: 'passthrough' } });
    const called = await json(call('POST', '/workflows', { ...chain(act('store')), nodes: [entry, act('store')] }));
    const parameters = { source: 'database', workflowId: { __rl: true, mode: 'id', value: called.id }, options: {} };
    const { itemOf, status, error } = await run(
      chain(aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.2, parameters })),
    );
    expect([status, error]).toEqual(['success', undefined]);
    const { id } = itemOf('Call').binary.data;
    await call('DELETE', `/workflows/${called.id}`);
    await letLeftoversComeDue();
    await worker.context.fileSweeper.round();
    expect((await call('GET', `/binary-data/${id}`)).text).toBe('hello');
  });

  test('that are pinned as base64 become files', async () => {
    const binary = { data: { data: Buffer.from('pinned').toString('base64'), mimeType: 'text/plain', fileName: 'p.txt' } };
    const pinned = { ...chain(act('store'), act('read')), pinData: { store: [{ json: {}, binary }] } };
    const { itemOf } = await run(pinned);
    expect(itemOf('read').json).toEqual({ text: 'pinned' });
    expect(itemOf('store').binary.data).toMatchObject({ fileName: 'p.txt', fileSize: 6, id: expect.any(String) });
  });

  test('leave no bytes if a stop interrupts them, immediately or after the sweeper has run', async () => {
    const { executionId } = await run(chain(act('storeSlowly')), 'respond-async');
    await eventually(async () => expect((await filesOnDisk()).some((name) => name.endsWith('.part'))).toBe(true));
    await call('POST', `/executions/${executionId}/stop`);
    await eventually(async () => expect((await filesOnDisk()).some((name) => name.endsWith('.part'))).toBe(false));
    await eventually(async () => expect(await rowsOf(executionId)).toBe(0));
  });

  test.each(['bytes', 'bytes and row'])(
    'whose worker dies after the %s are deleted when the sweeper finds the execution ended',
    async (after) => {
      const { executionId } = await run(chain(act('wait')), 'respond-async');
      await eventually(async () => expect((await json(call('GET', `/executions/${executionId}`))).status).toBe('running'));
      const id = newBinaryId();
      await binaries().begin({ id, executionId, fileName: null, mimeType: 'text/plain' });
      await store.put(id, endOf('x'));
      if (after === 'bytes and row') await binaries().complete(id, executionId, 1);
      await call('POST', `/executions/${executionId}/stop`);
      if (after === 'bytes and row') await remove(executionId);
      await worker.context.fileSweeper.round();
      await letLeftoversComeDue();
      await worker.context.fileSweeper.round();
      await eventually(async () => expect(await filesOnDisk()).not.toContain(id));
      expect(await rowsOf(executionId)).toBe(0);
    },
  );
});

async function* endOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function rowsOf(executionId: string): Promise<number> {
  const rows = await fleet.db.kysely.selectFrom('binary_data').select('id').where('execution_id', '=', executionId).execute();
  return rows.length;
}
