import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import fc from 'fast-check';
import { type DocumentedOperation, parametersOf } from './documented.ts';

/** A request as it goes over the wire. */
export interface HostileRequest {
  method: string;
  /** Below `/api/v1`, with the query; sent unchanged. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A valid request of an operation. */
export interface GoodRequest {
  operation: DocumentedOperation;
  /** Its path parameters. */
  params: Readonly<Record<string, string>>;
  body: JsonObject | undefined;
}

const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '🦊'.repeat(64),
  'x'.repeat(200),
  "'; DROP TABLE executions; --",
  "' OR '1'='1",
  '1; SELECT pg_sleep(5)',
  '$1',
  '%',
  '_%',
  '\\',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  '{{ 7 * 7 }}',
  '={{ $env.PATH }}',
  '<script>alert(1)</script>',
  'all',
  '-1',
  '2026-02-30T25:61:00Z',
  '0000-01-01',
  '+275760-09-13T00:00:00.001Z',
];
const numbers = [0, -0, -1, 1.5, 1e21, -1e308, Number.MAX_SAFE_INTEGER + 2, 2 ** 31, 2 ** 63, 5e-324];
const others: JsonValue[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 1e9 },
  { toJSON: 1 },
  Object.fromEntries([['then', 1]]),
];

const hostileText = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...texts) }, fc.string({ unit: 'binary', maxLength: 40 }));
const hostileValue: fc.Arbitrary<JsonValue> = fc.oneof(
  hostileText,
  fc.constantFrom(...numbers),
  fc.constantFrom(...others),
  hostileText.map((text) => [text]),
  hostileText.map((text) => ({ [text]: text })),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
);

/** Changes a body's text to JSON that no serializer writes. */
const textTricks: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace('{', '{"__proto__":{"polluted":true},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"polluted":true}},'),
  (text) => text.replace(/\{("[^"]*"):/, '{$1:[],$1:'),
  (text) => text.replace(/("[^"]*"):(?=[^:]*$)/, '$1:1e400,$1:'),
  (text) => text.replace(/"([^"]*)"(?=[^"]*$)/, '"$1\\ud800"'),
  (text) => text.replace(/"([^"]*)"(?=[^"]*$)/, '"$1\\u0000"'),
  (text) => text.replace(/"[^"]*"(?=[^"]*$)/, '99999999999999999999999999999999'),
  (text) => text.slice(0, -1),
  (text) => `${text}{}`,
  (text) => `[${text}]`,
  (text) => `\ufeff${text}`,
  (text) => `${'['.repeat(150)}${text}${']'.repeat(150)}`,
  (text) => text.replace('{', `{"deep":${'{"a":'.repeat(150)}1${'}'.repeat(150)},`),
  (text) => text.replace('{', `{"wide":[${'0,'.repeat(5_000)}0],`),
  (text) => text.replace('{', `{"long":"${'x'.repeat(70_000)}",`),
  () => '',
  () => 'null',
  () => '"text"',
  () => '{"a":\u0001}',
];

const headerTricks: readonly Record<string, string>[] = [
  {},
  {},
  {},
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-type': 'application/json; charset=\u00ff' },
  { 'content-type': '*/*' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, gzip, deflate' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-request-id': '"><script>' },
  { accept: 'application/xml' },
];

const ids = [
  '0',
  '-1',
  '1e3',
  '9223372036854775808',
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e',
  '%00',
  'a%00b',
  '%',
  '%c0%ae',
  '%ED%A0%80',
  "'%20or%20'1'='1",
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
  '%F0%9F%A6%8A',
  ';',
  '*',
  'null',
  'true',
  '%7B%7D',
];

/** Requests of one operation in which one or more parts are manipulated. Some are still valid. */
export function hostileRequests({ operation, params, body }: GoodRequest): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      path: oftenGood(hostilePath(operation, params), goodPath(operation, params)),
      query: hostileQuery(operation),
      own: hostileHeaders(operation),
      headers: fc.constantFrom(...headerTricks),
      body: hostileBody(body),
    })
    .map(({ path, query, own, headers, body: text }) => ({
      method: operation.method,
      path: `${path}${query}`,
      headers: { 'content-type': 'application/json', prefer: 'respond-async', ...own, ...headers },
      body: operation.requestBody ? text : undefined,
    }));
}

function oftenGood<T>(hostile: fc.Arbitrary<T>, good: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: hostile });
}

function goodPath({ path }: DocumentedOperation, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name);
}

function hostilePath(operation: DocumentedOperation, params: Readonly<Record<string, string>>): fc.Arbitrary<string> {
  const names = Object.keys(params);
  if (names.length === 0) return fc.constant(goodPath(operation, params));
  return fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...ids))
    .map(([name, id]) => goodPath(operation, { ...params, [name]: id }));
}

function hostileQuery(operation: DocumentedOperation): fc.Arbitrary<string> {
  const names = [...parametersOf(operation, 'query').map(({ name }) => name), '__proto__', 'unknown'];
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', '[]', '[__proto__]', '[a][b]'), hostileText)
    .map(([name, suffix, value]) => `${encodeURIComponent(name)}${suffix}=${encodeURIComponent(value.toWellFormed())}`);
  const broken = fc.constantFrom('%', '&&&', '=', '%00=%00', 'limit=1&limit=1', 'limit=1e1', 'cursor=e30', 'a'.repeat(2_000));
  return fc.oneof(
    fc.constant(''),
    fc.array(fc.oneof(pair, pair, broken), { minLength: 1, maxLength: 3 }).map((parts) => `?${parts.join('&')}`),
  );
}

function hostileHeaders(operation: DocumentedOperation): fc.Arbitrary<Record<string, string>> {
  const names = parametersOf(operation, 'header').map(({ name }) => name.toLowerCase());
  if (names.length === 0) return fc.constant({});
  const value = fc.constantFrom(
    '"',
    '*',
    'W/"x"',
    'wait=-1',
    'wait=1e9',
    'x'.repeat(300),
    '\u00e9',
    '0-running',
    '-1',
    ', ,',
    "'--",
  );
  return fc.oneof(
    fc.constant({}),
    fc.tuple(fc.constantFrom(...names), value).map(([name, text]) => ({ [name]: text })),
  );
}

/** A body with up to two values replaced or removed, and possibly a change to its text. */
function hostileBody(body: JsonObject | undefined): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(), value: fc.option(hostileValue, { freq: 8, nil: undefined }) });
  const trick = fc.oneof(
    { weight: 2, arbitrary: fc.constant(textTricks[0] as (text: string) => string) },
    fc.constantFrom(...textTricks),
  );
  return fc
    .tuple(fc.array(change, { maxLength: 2 }), trick)
    .map(([changes, alter]) => alter(JSON.stringify(changes.reduce(withChange, body ?? {}))));
}

function withChange(body: JsonObject, { at, value }: { at: number; value: JsonValue | undefined }): JsonObject {
  const changed = structuredClone(body);
  const places = placesIn(changed);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return changed;
  if (value !== undefined) place.container[place.key] = value;
  else if (Array.isArray(place.container)) place.container.splice(Number(place.key), 1);
  else delete place.container[place.key];
  return changed;
}

interface Place {
  container: Record<string, JsonValue>;
  key: string;
}

/** Every value of a body, with its parent. */
function placesIn(container: JsonValue): Place[] {
  if (!isJsonObject(container) && !Array.isArray(container)) return [];
  return Object.entries(container).flatMap(([key, value]) => [
    { container: container as Record<string, JsonValue>, key },
    ...placesIn(value),
  ]);
}
