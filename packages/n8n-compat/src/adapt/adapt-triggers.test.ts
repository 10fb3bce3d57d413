import { describe, expect, jest, test } from '@jest/globals';
import type { Item, JsonObject, ListenContext, NodeType, PollContext, WebhookCallContext } from '@sluice/node-sdk';
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
    | 'getHeaderData']: (...values: unknown[]) => unknown;
};
const property = (name: string, value = '') => ({ displayName: name, name, type: 'string', default: value });

function adapted(members: Members, description: Members = {}) {
  const base = { displayName: 'A', name: 'a', version: 1, properties: [property('table', 'people')] };
  return adaptNodeType({ ...members, description: { ...base, ...description } } as unknown as CommunityNodeType);
}
const source = (cursor?: JsonObject) => ({ ...fakeContext(), cursor });

describe('a poll', () => {
  const poll = async function (this: Functions) {
    const kept = this.getWorkflowStaticData('node') as { seen?: number };
    kept.seen = (kept.seen ?? 0) + 1;
    if (kept.seen > 2) return null;
    return [[{ json: { table: this.getNodeParameter('table', 'none'), seen: kept.seen } }]];
  };
  const type = adapted({ poll }, { polling: true });
  const call = async (cursor?: JsonObject) => {
    const keepCursor = jest.fn();
    const items = await type.poll?.({ ...source(cursor), mode: 'trigger', keepCursor } as PollContext);
    return { items, kept: keepCursor.mock.calls };
  };

  test('has its static data as the cursor', async () => {
    expect(await call()).toEqual({ items: [{ json: { table: 'people', seen: 1 } }], kept: [[{ seen: 1 }]] });
    expect(await call({ seen: 2 })).toEqual({ items: null, kept: [[{ seen: 3 }]] });
  });

  test('has times, which its description leaves to others', () => {
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

  test('starts executions with what it emits, and hears how they end', async () => {
    const done = Promise.withResolvers<unknown>();
    const { emit, handle } = listening(function () {
      this.emit([[], [{ json: { n: 1 } }]], undefined, done);
      return { closeFunction: async () => undefined };
    });
    await handle;
    expect(await done.promise).toEqual({ status: 'success', finished: true });
    expect(emit.mock.calls).toEqual([[[{ json: { n: 1 } }], { output: 1 }]]);
  });

  test('is closed by its own function, and says when it has failed', async () => {
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
  const call = (webhook: (this: Functions) => unknown) => callOf(adapted({ webhook }, { webhooks }));
  const callOf = async (type: NodeType) => {
    const respond = jest.fn();
    const request = {
      method: 'POST',
      url: 'http://h/webhook/x',
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
      request,
      respond,
    };
    const result = await type.webhook?.(context as unknown as WebhookCallContext);
    return { result, answers: respond.mock.calls };
  };

  test('makes items of a call', async () => {
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

  test('may answer by itself, once', async () => {
    const { result, answers } = await call(async function () {
      const response = this.getResponseObject() as { status(code: number): { json(body: unknown): void }; end(): void };
      response.status(202).json({ later: true });
      response.end();
      return { noWebhookResponse: true };
    });
    expect(result).toEqual({ noWebhookResponse: true });
    expect(answers).toEqual([[{ status: 202, headers: {}, body: { kind: 'json', json: { later: true } } }]]);
  });

  test('of a type that extends `Node` is given the functions as its first argument', async () => {
    class Hook extends Node {
      description = { displayName: 'A', name: 'a', version: 1, properties: [], webhooks };
      async webhook(functions: Functions) {
        return { workflowData: [[{ json: { body: functions.getBodyData(), name: this.description.name } }]] };
      }
    }
    const { result } = await callOf(adaptNodeType(new Hook() as unknown as CommunityNodeType));
    expect(result).toEqual({ workflowData: [[{ json: { body: { n: 1 }, name: 'a' } }]] });
  });

  test('that gives nothing starts nothing', async () => {
    expect((await call(() => ({}))).result).toEqual({});
  });
});

describe('methods', () => {
  const context = { ...fakeContext(), parameter: (name: string) => (name === 'table' ? 'cities' : undefined), staticData: {} };

  test('are called with the node, and members with no meaning of ours are left out', async () => {
    const getTables = async function (this: { getCurrentNodeParameter(name: string): unknown }) {
      return [{ name: 'x', value: this.getCurrentNodeParameter('table') }];
    };
    const { methods } = adapted({ execute: async () => [[]], methods: { loadOptions: { getTables }, Scraping: {} } });
    expect(Object.keys(methods ?? {})).toEqual(['loadOptions']);
    expect(await methods?.loadOptions?.['getTables']?.(context as never)).toEqual([{ name: 'x', value: 'cities' }]);
  });

  test('turn pages by tokens of any kind, which are texts outside', async () => {
    const asked: unknown[] = [];
    const search = async (_filter: unknown, token: unknown) => {
      asked.push(token);
      const next = [2, { after: 'x' }, 'json:text', 'plain', undefined][asked.length - 1];
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
    expect(asked).toEqual([undefined, 2, { after: 'x' }, 'json:text', 'plain']);
  });

  test('have no static data of other kinds', async () => {
    const getTables = function (this: Functions) {
      return this.getWorkflowStaticData('workflow');
    };
    const { methods } = adapted({ execute: async () => [[]], methods: { loadOptions: { getTables } } });
    await expect(methods?.loadOptions?.['getTables']?.(context as never)).rejects.toThrow('of the kind "workflow"');
  });

  test('register webhooks, and keep what they have to', async () => {
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
    const given = { ...context, webhookName: 'default', webhookUrl: () => 'http://h', staticData } as never;
    expect(Object.keys(type.webhookMethods ?? {})).toEqual(['default']);
    expect(await type.webhookMethods?.['default']?.create(given)).toBe(true);
    expect(staticData).toEqual({ id: 'http://h' });
  });
});
