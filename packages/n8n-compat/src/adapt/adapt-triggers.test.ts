import { Readable } from 'node:stream';
import { describe, expect, jest, test } from '@jest/globals';
import type { Item, JsonObject, ListenContext, NodeType, PollContext, WebhookRequestContext } from '@sluice/node-sdk';
import type { CommunityNodeType } from '../community-types.ts';
import { fakeContext } from '../testing/fake-context.ts';
import { Node } from '../workflow-module/versioned-node-type.ts';
import { adaptNodeType } from './adapt-node-type.ts';

type Members = Record<string, unknown>;
type Functions = {
  [name in
    | 'getWorkflowStaticData'
    | 'getNodeParameter'
    | 'getRequestObject'
    | 'getResponseObject'
    | 'getBodyData'
    | 'getQueryData'
    | 'getHeaderData'
    | 'getWorkflowSettings'
    | 'getTimezone']: (...values: unknown[]) => unknown;
} & { nodeHelpers: object; helpers: object; prepareOutputData(items: object[]): Promise<object> };
const property = (name: string, value = '') => ({ displayName: name, name, type: 'string', default: value });

function adapted(members: Members, description: Members = {}) {
  const base = { displayName: 'A', name: 'a', version: 1, properties: [property('table', 'people')] };
  return adaptNodeType({ ...members, description: { ...base, ...description } } as unknown as CommunityNodeType);
}
const source = (cursor?: JsonObject) => ({ ...fakeContext(), cursor });

describe('a poll', () => {
  const poll = async function (this: Functions) {
    const staticData = this.getWorkflowStaticData('node') as { seen?: number };
    staticData.seen = (staticData.seen ?? 0) + 1;
    if (staticData.seen > 2) return null;
    return [[{ json: { table: this.getNodeParameter('table', 'none'), seen: staticData.seen } }]];
  };
  const type = adapted({ poll }, { polling: true });
  const call = async (cursor?: JsonObject) => {
    const saveCursor = jest.fn();
    const items = await type.poll?.({ ...source(cursor), mode: 'trigger', saveCursor } as PollContext);
    return { items, cursors: saveCursor.mock.calls };
  };

  test('uses its static data as the cursor', async () => {
    expect(await call()).toEqual({ items: [[{ json: { table: 'people', seen: 1 } }]], cursors: [[{ seen: 1 }]] });
    expect(await call({ seen: 2 })).toEqual({ items: null, cursors: [[{ seen: 3 }]] });
  });

  test('outputs items at each of its outputs', async () => {
    const outputs = [[], [{ json: { b: 2 } }], null];
    const further = adapted({ poll: () => outputs }, { polling: true });
    const context = { ...source(), mode: 'trigger', saveCursor: () => undefined } as PollContext;
    expect(await further.poll?.(context)).toEqual(outputs);
  });

  test('stores global static data if it changed', async () => {
    const save = jest.fn();
    const counting = adapted({
      poll(this: Functions) {
        const shared = this.getWorkflowStaticData('global') as { n?: number };
        if (shared.n !== 2) shared.n = (shared.n ?? 0) + 1;
        return null;
      },
    });
    const poll = (n?: number) =>
      counting.poll?.({
        ...source(),
        mode: 'trigger',
        sharedData: { read: async () => (n === undefined ? {} : { n }), save },
        saveCursor: () => undefined,
      } as PollContext);
    await poll();
    await poll(1);
    await poll(2);
    expect(save.mock.calls).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  test('reads a file that it created, and fetches pages', async () => {
    const reference = { id: 'f', mimeType: 'text/plain', fileSize: 5 };
    const requests: string[] = [];
    const context = {
      ...fakeContext({
        respond: ({ url }) => {
          requests.push(url);
          return { body: Buffer.from('{}') };
        },
      }),
      binary: { store: async () => reference, open: async () => Readable.from([Buffer.from('bytes')]) },
      evaluateText: async (text: string, _: number, { names }: { names: JsonObject }) =>
        text.includes('<') ? Number(names['$pageCount']) < 2 : names['$pageCount'],
      mode: 'trigger',
      cursor: undefined,
      saveCursor: () => undefined,
    } as unknown as PollContext;
    const reading = adapted(
      {
        async poll(this: { helpers: Record<string, (...values: unknown[]) => Promise<unknown>> }) {
          const { prepareBinaryData, getBinaryDataBuffer, requestWithAuthenticationPaginated } = this.helpers;
          const file = await prepareBinaryData?.(Buffer.from('bytes'), 'a.txt');
          const bytes = await getBinaryDataBuffer?.(0, file);
          const pagination = { continue: '={{ $pageCount < 2 }}', request: { qs: { page: '={{ $pageCount }}' } } };
          const pages = (await requestWithAuthenticationPaginated?.(
            { uri: 'http://a/', json: true },
            0,
            pagination,
          )) as object[];
          return [[{ json: { read: String(bytes), pages: pages.length } }]];
        },
      },
      { polling: true },
    );
    expect(await reading.poll?.(context)).toEqual([[{ json: { read: 'bytes', pages: 2 } }]]);
    expect(requests).toEqual(['http://a/?page=0', 'http://a/?page=1']);
  });

  test.each([5, 'none', { items: [] }])('that returns %j fails with what it must return', async (output) => {
    const wrong = adapted({ poll: () => output }, { polling: true });
    const context = { ...source(), mode: 'trigger', saveCursor: () => undefined } as PollContext;
    await expect(wrong.poll?.(context)).rejects.toThrow(/^poll must return a list of items for each output, or null, not /);
  });

  test('has poll times, although its description omits them', () => {
    expect(type.description).toMatchObject({ polling: true, properties: [{ name: 'pollTimes' }, { name: 'table' }] });
  });
});

describe('a listener', () => {
  function listening(
    trigger: (this: { emit(outputs: unknown, ...more: unknown[]): void; emitError(error: Error): void }) => unknown,
  ) {
    const emit = jest.fn(async (_items: readonly Item[], _options: object) => ({
      id: '1',
      repeated: false,
      ended: async () => 'success',
    }));
    const failed = jest.fn();
    const handle = adapted({ trigger }).trigger?.({ ...source(), emit, failed } as unknown as ListenContext);
    return { emit, failed, handle };
  }

  test('starts executions with its items and is notified of their end', async () => {
    const done = Promise.withResolvers<unknown>();
    const { emit, handle } = listening(function () {
      this.emit([[], [{ json: { n: 1 } }]], undefined, done);
      return { closeFunction: async () => undefined };
    });
    await handle;
    expect(await done.promise).toEqual({ status: 'success', finished: true });
    expect(emit.mock.calls).toEqual([[[{ json: { n: 1 } }], { output: 1 }]]);
  });

  test('starts an execution per output and advances its cursor with the last', async () => {
    const emit = jest.fn(async (_items: readonly Item[], { output }: { output: number }) => ({
      ended: async () => (output === 0 ? 'success' : 'error'),
    }));
    const save = jest.fn();
    const done = Promise.withResolvers<unknown>();
    const trigger = function (this: Functions & { emit(outputs: unknown, ...more: unknown[]): void }) {
      (this.getWorkflowStaticData('node') as JsonObject)['seen'] = 1;
      (this.getWorkflowStaticData('global') as JsonObject)['all'] = 1;
      this.emit([[{ json: { a: 1 } }], [], [{ json: { b: 2 } }]], undefined, done);
      this.emit([[{ json: { a: 2 } }]]);
      return {};
    };
    const sharedData = { read: async () => ({}), save };
    await adapted({ trigger }).trigger?.({ ...source(), sharedData, emit, failed: jest.fn() } as unknown as ListenContext);
    expect(await done.promise).toEqual({ status: 'error', finished: false });
    expect(emit.mock.calls.slice(0, 2)).toEqual([
      [[{ json: { a: 1 } }], { output: 0 }],
      [[{ json: { b: 2 } }], { output: 2, cursor: { seen: 1 } }],
    ]);
    expect(save.mock.calls).toEqual([[{ all: 1 }]]);
  });

  test('continues once its event is stored or rejected, if it awaits that; ends of executions are tracked only on request', async () => {
    const storing = Promise.withResolvers<{ ended: () => Promise<string> }>();
    const ended = jest.fn(async () => 'success');
    const emit = jest.fn(async (items: readonly Item[]) => {
      if (items[0]?.json['n'] === 1) return storing.promise;
      throw new Error('1000 events of this listener wait to be stored already');
    });
    const results: unknown[] = [];
    const done = { resolve: jest.fn(), reject: jest.fn() };
    const over = Promise.withResolvers<void>();
    const trigger = async function (this: Functions & { emit(outputs: unknown, ...more: unknown[]): unknown }) {
      const emitting = async () => {
        for (const n of [1, 2]) results.push([n, await this.emit([[{ json: { n } }]], undefined, n === 2 ? done : undefined)]);
        over.resolve();
      };
      void emitting();
      return {};
    };
    await adapted({ trigger }).trigger?.({ ...source(), emit, failed: jest.fn() } as unknown as ListenContext);
    await new Promise(setImmediate);
    expect([emit.mock.calls.length, results]).toEqual([1, []]);
    storing.resolve({ ended });
    await over.promise;
    expect(results).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
    expect([ended.mock.calls, done.resolve.mock.calls, done.reject.mock.calls.length]).toEqual([[], [], 1]);
  });

  test('is closed by its own function and reports failures', async () => {
    const close = jest.fn();
    const { failed, handle } = listening(function () {
      this.emitError(new Error('gone'));
      return { closeFunction: close };
    });
    await (await handle)?.close();
    expect(close).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalledWith(new Error('gone'));
  });
});

describe('a webhook', () => {
  const webhooks = [{ name: 'default', httpMethod: '={{$parameter["method"]}}', responseMode: 'onReceived', path: 'hook' }];
  const call = (webhook: (this: Functions) => unknown, more?: object) => callOf(adapted({ webhook }, { webhooks }), more);
  const callOf = async (type: NodeType, more: object = {}) => {
    const [respond, save] = [jest.fn(), jest.fn()];
    const request = {
      method: 'POST',
      url: 'https://h:8443/webhook/x',
      target: '/webhook/x?q=%31',
      address: '203.0.113.7',
      headers: { a: 'b' },
      query: { q: '1' },
      params: {},
      body: { n: 1 },
      binary: {},
      rawBody: Buffer.from('raw'),
    };
    const context = {
      ...fakeContext(),
      webhookName: 'default',
      webhookUrl: () => 'http://h/webhook/x',
      staticData: {},
      request: { ...request, ...more },
      respond,
      sharedData: { read: async () => ({ n: 1 }), save },
      binary: {
        store: async (content: AsyncIterable<Uint8Array> | Uint8Array, file: object) => ({
          id: 'new',
          mimeType: 'text/plain',
          size: Buffer.concat(await Readable.from(content instanceof Uint8Array ? [content] : content).toArray()).toString(),
          ...file,
        }),
        open: async ({ id }: { id: string }) => Readable.from([Buffer.from(`bytes of ${id}`)]),
      },
    };
    const result = await type.webhook?.(context as unknown as WebhookRequestContext);
    return { result, responses: respond.mock.calls, shared: save.mock.calls };
  };

  test('converts a request to items', async () => {
    const { result } = await call(async function () {
      const { rawBody, ip } = this.getRequestObject() as { rawBody: Buffer; ip: string };
      const json = {
        body: this.getBodyData(),
        query: this.getQueryData(),
        a: (this.getHeaderData() as Members)['a'],
        raw: rawBody.toString(),
        ip,
      };
      return { workflowData: [[{ json }]], webhookResponse: { thanks: true } };
    });
    const json = { body: { n: 1 }, query: { q: '1' }, a: 'b', raw: 'raw', ip: '203.0.113.7' };
    expect(result).toEqual({ workflowData: [[{ json }]], webhookResponse: { thanks: true } });
  });

  test('can respond directly, once', async () => {
    const { result, responses } = await call(async function () {
      const response = this.getResponseObject() as { status(code: number): { json(body: unknown): void }; end(): void };
      response.status(202).json({ later: true });
      response.end();
      return { noWebhookResponse: true };
    });
    expect(result).toEqual({ noWebhookResponse: true });
    expect(responses).toEqual([[{ status: 202, headers: {}, body: { kind: 'json', json: { later: true } } }]]);
  });

  test.each<[string, unknown]>([
    ['a large body', Array.from({ length: 50_000 }, () => ({ n: 1n }))],
    ['a small body', { n: 1n }],
  ])('that responds with %s that is not JSON fails with the reason', async (_, body) => {
    const direct = call(function () {
      (this.getResponseObject() as { json(body: unknown): void }).json(body);
      return { noWebhookResponse: true };
    });
    await expect(direct).rejects.toThrow(/^the response body cannot be written as JSON \(.*BigInt/);
    await expect(call(() => ({ webhookResponse: body }))).rejects.toThrow(
      /^webhookResponse cannot be written as JSON \(.*BigInt/,
    );
  });

  test('can respond with repeated headers', async () => {
    const { responses } = await call(async function () {
      const response = this.getResponseObject() as { setHeader(name: string, value: unknown): { json(body: unknown): void } };
      response.setHeader('Set-Cookie', ['a=1', 'b=2']).json(1);
      return { noWebhookResponse: true };
    });
    expect(responses).toMatchObject([[{ headers: { 'set-cookie': ['a=1', 'b=2'] } }]]);
  });

  test('of a type that extends `Node` receives the context as its first argument', async () => {
    class Hook extends Node {
      description = { displayName: 'A', name: 'a', version: 1, properties: [], webhooks };
      async webhook(functions: Functions) {
        return { workflowData: [[{ json: { body: functions.getBodyData(), name: this.description.name } }]] };
      }
    }
    const { result } = await callOf(adaptNodeType(new Hook() as unknown as CommunityNodeType));
    expect(result).toEqual({ workflowData: [[{ json: { body: { n: 1 }, name: 'a' } }]] });
  });

  test('can read its request URL and the workflow', async () => {
    const { result } = await call(function () {
      const { originalUrl, url, path, protocol, hostname } = this.getRequestObject() as Record<string, string>;
      const settings = this.getWorkflowSettings();
      return { webhookResponse: { originalUrl, url, path, protocol, hostname, settings, zone: this.getTimezone() } };
    });
    expect(result?.webhookResponse).toEqual({
      originalUrl: '/webhook/x?q=%31',
      url: '/webhook/x?q=%31',
      path: '/webhook/x',
      protocol: 'https',
      hostname: 'h',
      settings: { timezone: 'UTC' },
      zone: 'UTC',
    });
  });

  test('finds the files of a form, and may store more', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const binary = { photo: { id: 'f1', mimeType: 'image/png', fileName: 'a.png', fileSize: 9 } };
    const { result } = await call(
      async function () {
        const { data, files } = this.getBodyData() as { data: object; files: Record<string, { filepath: string }> };
        const { copyBinaryFile } = this.nodeHelpers as unknown as { copyBinaryFile(...args: unknown[]): Promise<object> };
        const { prepareBinaryData } = this.helpers as unknown as { prepareBinaryData(...args: unknown[]): Promise<object> };
        const photo = await copyBinaryFile(files['photo']?.filepath, 'b.png', 'image/png');
        const note = await prepareBinaryData(Buffer.from('hi'), 'n.txt');
        return this.prepareOutputData([{ json: { data, files }, binary: { photo, note } }]).then((workflowData) => ({
          workflowData,
        }));
      },
      { headers, binary },
    );
    const [item] = result?.workflowData?.[0] ?? [];
    expect(item?.json).toEqual({
      data: { n: 1 },
      files: { photo: { filepath: 'upload:f1', originalFilename: 'a.png', mimetype: 'image/png', size: 9 } },
    });
    expect(item?.binary).toMatchObject({ photo: { id: 'new', fileName: 'b.png' }, note: { id: 'new', fileName: 'n.txt' } });
  });

  test('stores global static data', async () => {
    const { shared } = await call(function () {
      const all = this.getWorkflowStaticData('global') as { n: number };
      all.n += 1;
      return {};
    });
    expect(shared).toEqual([[{ n: 2 }]]);
    expect((await call(() => ({}))).shared).toEqual([]);
  });

  test('can send bytes: text as text, and other bytes unchanged', async () => {
    const bodyOf = async (bytes: Uint8Array) => {
      const { responses } = await call(function () {
        (this.getResponseObject() as { send(bytes: Uint8Array): void }).send(bytes);
        return { noWebhookResponse: true };
      });
      return (responses as [[{ body: unknown }]])[0][0].body;
    };
    expect(await bodyOf(Buffer.from('ä'))).toEqual({ kind: 'text', text: 'ä' });
    const image = Buffer.from([0x89, 0x50, 0xff, 0x00]);
    expect(await bodyOf(image)).toEqual({ kind: 'bytes', base64: image.toString('base64') });
  });

  test('can write its response in parts, or redirect', async () => {
    const pieces = await call(function () {
      const response = this.getResponseObject() as { write(text: string): boolean; end(text: string): void };
      response.write('a');
      response.end('b');
      return { noWebhookResponse: true };
    });
    expect(pieces.responses).toEqual([[{ status: 200, headers: {}, body: { kind: 'text', text: 'ab' } }]]);
    const elsewhere = await call(function () {
      (this.getResponseObject() as { redirect(status: number, url: string): void }).redirect(301, 'https://a.example/');
      return { noWebhookResponse: true };
    });
    expect(elsewhere.responses).toEqual([
      [{ status: 301, headers: { location: 'https://a.example/' }, body: { kind: 'none' } }],
    ]);
  });

  test.each([5, 'x', null, { workflowData: 5 }, { workflowData: [5] }])(
    'that returns %j passes the invalid value on, unlike missing items',
    async (result) => {
      expect((await call(() => result)).result).toEqual(result);
      expect((await call(() => ({ workflowData: null }))).result).toEqual({});
    },
  );

  test('that returns nothing starts no execution', async () => {
    expect((await call(() => ({}))).result).toEqual({});
  });
});

describe('methods', () => {
  const context = { ...fakeContext(), parameter: (name: string) => (name === 'table' ? 'cities' : undefined), staticData: {} };

  test('are called with the node; unknown members are dropped', async () => {
    const getTables = async function (this: { getCurrentNodeParameter(name: string): unknown }) {
      return [{ name: 'x', value: this.getCurrentNodeParameter('table') }];
    };
    const { methods } = adapted({ execute: async () => [[]], methods: { loadOptions: { getTables }, Scraping: {} } });
    expect(Object.keys(methods ?? {})).toEqual(['loadOptions']);
    expect(await methods?.loadOptions?.['getTables']?.(context as never)).toEqual([{ name: 'x', value: 'cities' }]);
  });

  test('accept page tokens of any type and return them as strings', async () => {
    const requests: unknown[] = [];
    const search = async (_filter: unknown, token: unknown) => {
      requests.push(token);
      const next = [2, { after: 'x' }, 'json:text', 'plain', undefined][requests.length - 1];
      return { results: [], paginationToken: next };
    };
    const { methods } = adapted({ execute: async () => [[]], methods: { listSearch: { search } } });
    const tokens: (string | undefined)[] = [];
    let token: string | undefined;
    do {
      token = (await methods?.listSearch?.['search']?.(context as never, '', token))?.paginationToken;
      tokens.push(token);
    } while (token !== undefined);
    expect(tokens).toEqual(['json:2', 'json:{"after":"x"}', 'json:"json:text"', 'plain', undefined]);
    expect(requests).toEqual([undefined, 2, { after: 'x' }, 'json:text', 'plain']);
  });

  test('reject unknown kinds of static data', async () => {
    const getTables = function (this: Functions) {
      return this.getWorkflowStaticData('workflow');
    };
    const { methods } = adapted({ execute: async () => [[]], methods: { loadOptions: { getTables } } });
    await expect(methods?.loadOptions?.['getTables']?.(context as never)).rejects.toThrow(
      'Unknown kind of static data "workflow"',
    );
  });

  test('that register webhooks reject global static data', async () => {
    const checkExists = function (this: Functions) {
      (this.getWorkflowStaticData('global') as JsonObject)['id'] = 1;
      return true;
    };
    const webhookMethods = { default: { checkExists, create: async () => true, delete: async () => true } };
    const type = adapted(
      { webhook: () => ({}), webhookMethods },
      { webhooks: [{ name: 'default', httpMethod: 'POST', path: 'x' }] },
    );
    const webhookContext = { ...context, webhookName: 'default', webhookUrl: () => 'http://h', staticData: {} } as never;
    await expect(type.webhookMethods?.['default']?.checkExists(webhookContext)).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    });
  });

  test('register webhooks and store their data', async () => {
    const create = async function (this: {
      getWorkflowStaticData(part: string): JsonObject;
      getNodeWebhookUrl(name: string): string;
    }) {
      this.getWorkflowStaticData('node')['id'] = this.getNodeWebhookUrl('default');
      return true;
    };
    const webhookMethods = { default: { create, checkExists: async () => false, delete: async () => true }, setup: { create } };
    const type = adapted(
      { webhook: () => ({}), webhookMethods },
      { webhooks: [{ name: 'default', httpMethod: 'POST', path: 'x' }] },
    );
    const staticData: JsonObject = {};
    const webhookContext = { ...context, webhookName: 'default', webhookUrl: () => 'http://h', staticData } as never;
    expect(Object.keys(type.webhookMethods ?? {})).toEqual(['default']);
    expect(await type.webhookMethods?.['default']?.create(webhookContext)).toBe(true);
    expect(staticData).toEqual({ id: 'http://h' });
  });
});
