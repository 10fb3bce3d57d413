import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import type { BinaryAccess, Item, JsonObject, JsonValue, NodeProperty, NodeTypeDescription, Routing } from '@sluice/node-sdk';
import { declarativeExecute } from '@sluice/node-sdk';
import { createSandbox } from '@sluice/sandbox';
import { longestBusy } from '@sluice/test-support';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { asItems, testType } from './testing/test-nodes.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}
let received: Received[];
let answer: (request: Received) => JsonValue;
let status: number;
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const got = { method, url, headers, body: await text(request) };
  received.push(got);
  const content = answer(got);
  response.writeHead(status, { 'content-type': typeof content === 'string' ? 'text/plain' : 'application/json' });
  response.end(typeof content === 'string' ? content : JSON.stringify(content));
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeEach(() => {
  received = [];
  status = 200;
  answer = () => ({});
});
afterAll(async () => {
  await Promise.all([sandbox.close(), http.close()]);
  server.closeAllConnections();
  server.close();
});

const field = (name: string, routing?: Routing, more: Partial<NodeProperty> = {}): NodeProperty => ({
  displayName: name,
  name,
  type: 'string',
  default: '',
  ...(routing && { routing }),
  ...more,
});

interface Trying {
  properties: NodeProperty[];
  parameters?: JsonObject;
  items?: JsonObject[];
  defaults?: NodeTypeDescription['requestDefaults'];
  credential?: JsonObject;
  node?: object;
}

/** Runs a declarative node. Resolves to its items or the error of the run. */
async function run({ properties, parameters = {}, items = [{}], defaults, credential, node = {} }: Trying) {
  const plain = testType('routed', () => []);
  const description: NodeTypeDescription = {
    ...plain.description,
    properties,
    requestDefaults: defaults ?? { baseURL: base },
    credentials: [{ name: 'acmeApi' }],
  };
  const engine = { ...testEngine(), sandbox, http };
  engine.types.set('base.routed', { description, execute: declarativeExecute(description) });
  const routed = { type: 'routed', parameters, ...(credential && { credentials: { acmeApi: { id: 'c1' } } }), ...node };
  const graph = graphOf(['T -> X'], { T: { type: 'manual-trigger' }, X: routed }, { pinData: { T: asItems(...items) } });
  const credentials = {
    open: async () => credential ?? {},
    authentication: async () => ({
      authenticate: <T extends object>(request: T) => ({ ...request, headers: { 'x-token': String(credential?.['token']) } }),
    }),
    hide: () => {},
  };
  const stored = { id: 'f1', mimeType: 'text/plain', fileSize: 5 };
  const binary = { store: async () => stored } as unknown as BinaryAccess;
  const { outcome, runData } = await runGraph(graph, { credentials, binary }, engine);
  const previous: Item[] = runData['X']?.[0]?.data?.['main']?.[0] ?? [];
  return {
    error: outcome.status === 'error' ? outcome.error : undefined,
    items: previous,
    json: previous.map((item) => item.json),
  };
}

describe('the request of a declarative node', () => {
  test('combines the defaults, the selected option, and the parameters for each item', async () => {
    const operation = field('operation', undefined, {
      type: 'options',
      default: 'get',
      options: [
        { name: 'Get', value: 'get', routing: { request: { method: 'GET' } } },
        { name: 'Make', value: 'make', routing: { request: { method: 'POST', url: '=/users/{{ $parameter.id }}' } } },
      ],
    });
    const tags = field('tags', undefined, {
      type: 'fixedCollection',
      default: {},
      options: [
        {
          name: 'tag',
          displayName: 'Tag',
          values: [field('text', { send: { property: '=tags.t{{ $index }}', value: '={{ $value + "!" }}' } })],
        },
      ],
    });
    const { error, items } = await run({
      defaults: { baseURL: `${base}/v1/`, headers: { 'x-a': '1' }, qs: { lang: 'en' } },
      properties: [
        operation,
        field('id'),
        field('name', { send: { property: 'user.name' } }),
        field('dotted', { send: { property: 'a.b', propertyInDotNotation: false } }, { default: 7, type: 'number' }),
        field('lang', { send: { type: 'query', property: 'lang' } }, { default: 'de' }),
        field('hidden', { send: { property: 'hidden' } }, { default: 'x', displayOptions: { show: { operation: ['get'] } } }),
        field('more', undefined, {
          type: 'collection',
          default: {},
          options: [field('note', { send: { property: 'note' } }), field('absent', { send: { property: 'absent' } })],
        }),
        tags,
      ],
      parameters: {
        operation: 'make',
        id: '={{ $json.id }}',
        name: 'Ada',
        more: { note: 'n' },
        tags: { tag: [{ text: 'p' }, { text: 'q' }] },
      },
      items: [{ id: 1 }, { id: 2 }],
    });
    expect(error).toBeUndefined();
    expect(received.map(({ method, url }) => [method, url])).toEqual([
      ['POST', '/v1/users/1?lang=de'],
      ['POST', '/v1/users/2?lang=de'],
    ]);
    expect(received[0]?.headers).toMatchObject({ 'x-a': '1', 'content-type': 'application/json' });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      user: { name: 'Ada' },
      'a.b': 7,
      note: 'n',
      tags: { t0: 'p!', t1: 'q!' },
    });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  test('is authenticated by the credential, whose fields are visible to routing but not to expressions', async () => {
    const credential = { token: 'sesame', host: base };
    const used = await run({ properties: [], defaults: { baseURL: '={{ $credentials.host }}', url: '/x' }, credential });
    expect([used.error, received[0]?.headers['x-token'], received[0]?.url]).toEqual([undefined, 'sesame', '/x']);
    const stolen = await run({ properties: [], defaults: { baseURL: '={{ Object.values($credentials) }}' }, credential });
    expect(stolen.error?.message).toContain('cannot be evaluated with a credential');
    const none = await run({ properties: [], defaults: { baseURL: '={{ $credentials.host }}' } });
    expect(none.error?.message).toContain('names no credential');
  });

  test('does not insert the credential into a value that looks like its placeholder', async () => {
    const [before, after] = ['\u{E000}', '\u{E001}'];
    await run({
      properties: [field('q', { send: { property: 'text', value: '={{ $value }} by {{ $credentials.token }}' } })],
      parameters: { q: `${before}0${after} 0;` },
      credential: { token: 'sesame' },
    });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ text: `${before}0${after} 0; by sesame` });
  });

  test('uses parameter values verbatim, even if they look like expressions', async () => {
    await run({
      properties: [field('a', { send: { property: 'a' } })],
      items: [{ a: '={{ 1 + 1 }}' }],
      parameters: { a: '={{ $json.a }}' },
    });
    expect(received[0]?.body).toBe('{"a":"={{ 1 + 1 }}"}');
  });

  test('treats null as absent, because packages may set null', async () => {
    answer = () => [{ n: 1 }, { n: 2 }];
    const routing = {
      request: { method: null, url: null, headers: null, body: null, timeout: null },
      send: { property: null, paginate: null },
      output: { maxResults: null, postReceive: [{ type: 'limit', enabled: null, properties: { maxResults: '' } }] },
    } as unknown as Routing;
    const { error, json } = await run({ properties: [field('a', routing)] });
    expect([error, json]).toEqual([undefined, [{ n: 1 }, { n: 2 }]]);
    expect(received[0]).toMatchObject({ method: 'GET', url: '/', body: '' });
  });

  test('can be changed by functions before it is sent', async () => {
    const preSend = [async <T extends object>(request: T) => ({ ...request, method: 'PUT' })];
    await run({ properties: [field('a', { send: { preSend } })] });
    expect(received[0]?.method).toBe('PUT');
  });

  test('fails its item when the service rejects it, unless the response is requested anyway', async () => {
    status = 422;
    answer = () => ({ message: 'no' });
    expect((await run({ properties: [] })).error).toMatchObject({
      code: 'NODE_API_ERROR',
      itemIndex: 0,
      details: { status: 422 },
    });
    const continued = await run({ properties: [], node: { onError: 'continueRegularOutput' } });
    expect(continued.json).toEqual([{ error: expect.stringContaining('422') }]);
    const ignoring = async (ignoreHttpStatusErrors: boolean | { ignore: boolean; except?: number[] }) => {
      const { json, error } = await run({ properties: [], defaults: { baseURL: base, ignoreHttpStatusErrors } });
      return error ? 'refused' : json;
    };
    expect(await ignoring(true)).toEqual([{ message: 'no' }]);
    expect(await ignoring({ ignore: true, except: [404] })).toEqual([{ message: 'no' }]);
    expect(await ignoring({ ignore: true, except: [422] })).toBe('refused');
    expect(await ignoring({ ignore: false })).toBe('refused');
  });
});

describe('the response', () => {
  const receiving = (...postReceive: NonNullable<Routing['output']>['postReceive'] & object) =>
    run({ properties: [field('a', { output: { postReceive } })], parameters: { a: '3' } });

  test('becomes one item per list element, one item for an object or string, and no item if it is empty', async () => {
    const answers: [JsonValue, JsonObject[]][] = [
      [
        [{ a: 1 }, 2],
        [{ a: 1 }, { data: 2 }],
      ],
      [{ a: 1 }, [{ a: 1 }]],
      ['hello', [{ data: 'hello' }]],
      ['', []],
    ];
    for (const [content, json] of answers) {
      answer = () => content;
      expect((await run({ properties: [] })).json).toEqual(json);
    }
  });

  test('is processed by its steps in order', async () => {
    answer = () => ({ data: { list: [{ n: 2 }, { n: 10 }, { n: 1 }, { n: 3 }] } });
    const { error, json } = await receiving(
      { type: 'rootProperty', properties: { property: 'data.list' } },
      { type: 'filter', properties: { pass: '={{ $responseItem.n <= 3 }}' } },
      { type: 'sort', properties: { key: 'n' } },
      { type: 'limit', properties: { maxResults: '={{ Number($value) - 1 }}' } },
      { type: 'setKeyValue', properties: { number: '={{ $responseItem.n }}', status: '={{ $response.statusCode }}' } },
      (items) => items.map((item) => ({ json: { ...item.json, last: true } })),
    );
    expect(error).toBeUndefined();
    expect(json).toEqual([
      { number: 1, status: 200, last: true },
      { number: 2, status: 200, last: true },
    ]);
  });

  test('can have any number of items', async () => {
    answer = () => ({ list: Array.from({ length: 200_000 }, (_, n) => ({ n })) });
    const { error, items } = await receiving({ type: 'rootProperty', properties: { property: 'list' } });
    expect(error).toBeUndefined();
    expect([items.length, items.at(-1)]).toEqual([200_000, { json: { n: 199_999 }, pairedItem: { item: 0 } }]);
  });

  test('of 8 MB does not block the event loop', async () => {
    const large = `{"large":[${'{"a":1},'.repeat(1_000_000)}{}],"few":[1]}`;
    answer = () => large;
    let json: JsonObject[] = [];
    const work = async () => ({ json } = await receiving({ type: 'rootProperty', properties: { property: 'few' } }));
    expect(await longestBusy(work)).toBeLessThan(250);
    expect(json).toEqual([{ data: 1 }]);
  });

  test('rejects a limit that is not a number of items', async () => {
    answer = () => [{ n: 1 }, { n: 2 }];
    const { error } = await receiving({ type: 'limit', properties: { maxResults: -1 } });
    expect(error?.message).toMatch('the limit must be a number that is not negative, but is -1');
    const output = { maxResults: '={{ $value }}' };
    const limited = await run({ properties: [field('limit', { output }, { type: 'number' })], parameters: { limit: -1 } });
    expect([limited.error?.code, limited.items]).toEqual(['NODE_OPERATION_ERROR', []]);
  });

  test('can be replaced or stored as a file', async () => {
    answer = () => 'hello';
    expect((await receiving({ type: 'set', properties: { value: '={{ ({ done: $response.body }) }}' } })).json).toEqual([
      { done: 'hello' },
    ]);
    const { items } = await receiving({ type: 'binaryData', properties: { destinationProperty: 'file' } });
    expect(items[0]?.binary).toMatchObject({ file: { id: 'f1' } });
  });
});

describe('pages', () => {
  const pageOf = ({ url = '' }: Received) => {
    const query = new URL(url, base).searchParams;
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    return { list: [1, 2, 3, 4, 5].slice(offset, offset + limit).map((n) => ({ n })), next: offset + limit };
  };
  const output: Routing['output'] = { postReceive: [{ type: 'rootProperty', properties: { property: 'list' } }] };
  const numbers = async (routing: Routing) => {
    answer = pageOf;
    const { error, json } = await run({
      properties: [field('all', { output, ...routing }, { type: 'boolean', default: true })],
    });
    return error ?? json.map(({ n }) => n);
  };
  const offset = {
    type: 'offset' as const,
    properties: {
      limitParameter: 'limit',
      offsetParameter: 'offset',
      pageSize: 2,
      rootProperty: 'list',
      type: 'query' as const,
    },
  };
  const generic = {
    type: 'generic' as const,
    properties: {
      continue: '={{ $response.body.next < 5 }}',
      request: { qs: { limit: 2, offset: '={{ $response.body.next }}' } },
    },
  };

  test('by offset continue until a page is not full', async () => {
    expect(await numbers({ send: { paginate: '={{ $value }}' }, operations: { pagination: offset } })).toEqual([1, 2, 3, 4, 5]);
    expect(received).toHaveLength(3);
  });

  test('end at the requested number of results', async () => {
    expect(
      await numbers({ output: { ...output, maxResults: 3 }, send: { paginate: true }, operations: { pagination: offset } }),
    ).toEqual([1, 2, 3]);
    expect(received).toHaveLength(2);
  });

  test('by expression continue while the expression is true', async () => {
    const request = { qs: { limit: 2, offset: 0 } };
    expect(await numbers({ request, send: { paginate: true }, operations: { pagination: generic } })).toEqual([1, 2, 3, 4, 5]);
  });

  test('that never end fail before they exhaust memory', async () => {
    const page = [{ text: 'x'.repeat(8_000_000) }];
    answer = () => page;
    const pagination = { type: 'generic' as const, properties: { continue: '={{ true }}', request: {} } };
    const endless = { send: { paginate: true }, operations: { pagination } };
    const { error } = await run({ properties: [field('pages', endless)] });
    expect(error).toMatchObject({ message: expect.stringContaining('contain too much data') });
    expect(received).toHaveLength(9);
  });

  test.each<[string, NonNullable<Routing['operations']>]>([
    [
      'offset',
      {
        pagination: {
          type: 'offset',
          properties: { limitParameter: 'limit', offsetParameter: 'offset', pageSize: 200_000, type: 'query' },
        },
      },
    ],
    ['expressions', { pagination: { type: 'generic', properties: { continue: false, request: {} } } }],
  ])('by %s can have any number of items', async (_, operations) => {
    answer = ({ url = '' }) => (url.includes('offset=200000') ? [] : Array.from({ length: 200_000 }, (_, n) => ({ n })));
    const { error, items } = await run({ properties: [field('pages', { send: { paginate: true }, operations })] });
    expect([error, items.length]).toEqual([undefined, 200_000]);
  });

  test('can be fetched by a function', async () => {
    const pagination: NonNullable<Routing['operations']>['pagination'] = async (request, send) => [
      ...(await send({ ...request, url: `${request.url}?limit=1&offset=4` })),
      ...(await send({ ...request, url: `${request.url}?limit=1&offset=0` })),
    ];
    expect(await numbers({ send: { paginate: true }, operations: { pagination } })).toEqual([5, 1]);
  });

  test('are not fetched unless requested', async () => {
    const request = { qs: { limit: 1, offset: 0 } };
    expect(await numbers({ request, operations: { pagination: generic } })).toEqual([1]);
  });
});
