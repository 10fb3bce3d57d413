import type { Item, JsonObject } from '@sluice/node-sdk';
import type { FakeRun } from './fake-context.ts';

/** A run of a node on input crafted to be expensive. */
interface Attack {
  name: string;
  run: FakeRun;
  /** Files of the first item, by property. */
  files?: Record<string, Uint8Array>;
}

/**
 * How a type is attacked: by its input, by responses of a server over HTTP or another protocol; or
 * why it cannot be attacked.
 */
export type AttackPlan =
  | { input: () => Attack[] }
  /** The response to every request, and the node run. */
  | { http: () => { contentType: string; body: string; run: (origin: string) => FakeRun } }
  /**
   * The server repeats `piece` after `greeting` until the client disconnects or 16 MiB have been
   * sent.
   */
  | {
      peer: {
        greeting: string;
        piece: string;
        credentials: (port: number) => Record<string, JsonObject>;
        parameters: JsonObject;
      };
    }
  | { nothing: string };

export const count = 100_000;

export const rows = (length: number): JsonObject[] =>
  Array.from({ length }, (_, id) => ({ id, group: `g${id % 1_000}`, value: (id * 7_919) % 100_003, tags: ['a', 'b'] }));
export const manyItems = (parameters: JsonObject, length = count): AttackPlan => ({
  input: () => list({ name: `${length} items`, run: { json: rows(length), parameters } }),
});
export const two = (parameters: JsonObject, length: number, width = length): AttackPlan => ({
  input: () =>
    list({
      name: `${length} × ${width} items`,
      run: { inputs: [items(rows(length)), items(rows(width))], parameters },
    }),
});
/** Lists attacks one by one, since each has its own type. */
export const list = (...attacks: Attack[]): Attack[] => attacks;
export const items = (json: JsonObject[]): Item[] => json.map((each) => ({ json: each }));
export const oneText = (name: string, field: string, text: string, parameters: JsonObject): Attack => ({
  name,
  run: { json: [{ [field]: text }], parameters },
});
export const fileOf = (name: string, content: string | Uint8Array, parameters: JsonObject): Attack => ({
  name,
  run: { parameters },
  files: { data: typeof content === 'string' ? Buffer.from(content) : content },
});

export const manyObjects = `[${'{},'.repeat(900_000)}{}]`;
export const largeBody = (): JsonObject => ({ list: Array.from({ length: 900_000 }, () => ({})) });
export const ideographs = '\u6f22'.repeat(8_000_000);
export const manyKeys = `{${Array.from({ length: 90_000 }, (_, i) => `"key${i}":[]`).join(',')}}`;
export const selectors = { values: [{ key: 'x', cssSelector: 'b ~ i ~ i ~ i ~ b', returnArray: true }] };
export const siblings = `<b></b>${'<i></i>'.repeat(5_000)}`;
const regexParameters = {
  conditions: {
    combinator: 'and',
    options: {},
    conditions: [
      {
        leftValue: 'ab'.repeat(20_000),
        rightValue: '((a|b|ab)*c){900}',
        operator: { type: 'string', operation: 'regex' },
      },
    ],
  },
};
export const formatting = (customFormat: string): JsonObject => ({
  operation: 'formatDate',
  date: '2024-02-29T01:02:03Z',
  format: 'custom',
  customFormat,
});
const searching = (leftValue: string, rightValue: string): JsonObject => ({
  conditions: {
    combinator: 'and',
    options: {},
    conditions: [{ leftValue, rightValue, operator: { type: 'string', operation: 'contains' } }],
  },
});
export const regexRows: AttackPlan = {
  input: () =>
    list(
      { name: 'a large pattern', run: { json: rows(1), parameters: regexParameters } },
      {
        name: 'a long string in a longer one',
        run: { json: rows(1), parameters: searching('a'.repeat(500_000), `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`) },
      },
      { name: 'many items', run: { json: rows(30_000), parameters: { conditions: { combinator: 'and', conditions: [] } } } },
    ),
};
export const triggerOnly: AttackPlan = { nothing: 'a trigger passes its input on' };
export const guest: AttackPlan = { nothing: 'its code runs in the sandbox, which has tests of its own' };
export const waits: AttackPlan = { nothing: 'it passes its items to the engine and waits' };

export const largeToken = () =>
  ['{"alg":"HS256","typ":"JWT"}', `{"a":${manyObjects}}`, 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

export const host = '127.0.0.1';
export const redisPeer: AttackPlan = {
  peer: {
    greeting: '',
    piece: '*1\r\n*1\r\n*1\r\n$1\r\na\r\n',
    credentials: (port) => ({ redis: { host, port, password: '', user: '', database: 0 } }),
    parameters: { operation: 'keys', keyPattern: '*', channels: '*' },
  },
};
export const sqlPeer = (type: string, greeting: string, piece: string): AttackPlan => ({
  peer: {
    greeting,
    piece,
    credentials: (port) => ({ [type]: { host, port, user: 'a', password: 'a', database: 'a', ssl: 'disable' } }),
    parameters: { operation: 'executeQuery', query: 'SELECT 1', schema: 'public', tableName: 't' },
  },
});
export const brokerPeer = (type: string, piece: string, parameters: JsonObject): AttackPlan => ({
  peer: {
    greeting: '',
    piece,
    credentials: (port) => ({
      [type]: { host, hostname: host, port, brokers: `${host}:${port}`, username: 'a', password: 'a', ssl: false },
    }),
    parameters,
  },
});
export const linePeer = (type: string, greeting: string, piece: string, parameters: JsonObject): AttackPlan => ({
  peer: {
    greeting,
    piece,
    credentials: (port) => ({ [type]: { host, port, username: 'a', user: 'a', password: 'a', secure: false } }),
    parameters,
  },
});
export const s3: AttackPlan = {
  http: () => ({
    contentType: 'application/xml',
    body: `<ListAllMyBucketsResult><Buckets>${'<Bucket><Name>a</Name></Bucket>'.repeat(60_000)}</Buckets></ListAllMyBucketsResult>`,
    run: (origin) => {
      const data = {
        endpoint: origin,
        region: 'r',
        accessKeyId: 'a',
        secretAccessKey: 'b',
        forcePathStyle: true,
        customEndpoints: true,
        s3Endpoint: origin,
      };
      return { parameters: { resource: 'bucket', operation: 'getAll', returnAll: true }, credentials: { s3: data, aws: data } };
    },
  }),
};
export const feed: AttackPlan = {
  http: () => ({
    contentType: 'application/rss+xml',
    body: `<rss><channel>${'<item><title>a</title><description>&lt;p>b</description></item>'.repeat(40_000)}</channel></rss>`,
    run: (origin) => ({ parameters: { url: origin, feedUrl: origin } }),
  }),
};
export const jsonResponse = (body: string): AttackPlan => ({
  http: () => ({
    contentType: 'application/json',
    body,
    run: (origin) => ({ parameters: { url: origin, endpoint: origin, query: '{ a }', options: {} } }),
  }),
});
