import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { aSmallWorkflow, attackShare } from '@sluice/test-support';
import { routes } from '../src/routes.ts';
import { statusOfEndless } from './support/endless-body.ts';
import { bodyOf, pathOf as examplePath, queryOf, someThings } from './support/example-calls.ts';
import { ownerKey, startTestApi } from './support/test-api.ts';

const api = await startTestApi({ BODY_LIMIT_BYTES: '65536' });
const [project] = (await api.call('GET', '/projects')).body.data;
const things = await someThings(api, project.id, (await api.projects.createTeam({ name: 'other' })).id);
const { workflowId } = things;
afterAll(() => api.close());

const withBody = routes.filter((route) => route.body);
const withId = routes.filter((route) => /:\w*id\b/i.test(route.path));
const withQuery = routes.filter((route) => route.query && route.method === 'get');
const pathOf = (path: string) => examplePath(`ANY ${path}`, things);

async function everything() {
  const tables = ['workflows', 'workflow_versions', 'workflow_graphs', 'executions', 'idempotency_keys'] as const;
  const counts = tables.map((table) =>
    api.db.kysely
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirstOrThrow(),
  );
  return (await Promise.all(counts)).map((row) => row.n);
}

describe('bodies', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const cases: [string, number, { rawBody: string | Buffer; headers?: Record<string, string> }][] = [
    ['malformed JSON', 400, { rawBody: '{"a":' }],
    ['no JSON at all', 400, { rawBody: 'a=b' }],
    ['a string', 400, { rawBody: '"text"' }],
    ['null', 400, { rawBody: 'null' }],
    ['a number', 400, { rawBody: '5' }],
    ['naming a key twice', 400, { rawBody: '{"name":"a","name":"b"}' }],
    ['naming a key twice, far inside', 400, { rawBody: '{"a":[{"b":{"c":1,"\\u0063":2}}]}' }],
    ['no UTF-8', 400, { rawBody: Buffer.from('{"name":"\xff"}', 'latin1') }],
    ['an array', 400, { rawBody: '[]' }],
    ['too large', 413, { rawBody: `{"a":"${'x'.repeat(70_000)}"}` }],
    [
      'too large once unpacked',
      413,
      { rawBody: gzipSync(`{"a":"${'x'.repeat(10_000_000)}"}`), headers: { 'content-encoding': 'gzip' } },
    ],
    ['not what it says it is packed with', 400, { rawBody: 'not gzip', headers: { 'content-encoding': 'gzip' } }],
    ['too deep', 400, { rawBody: deep(101) }],
    ['deep enough to overflow a stack', 400, { rawBody: deep(10_000) }],
    ['a number beyond a double', 400, { rawBody: '{"a":{"b":1e400}}' }],
    ['of another type', 415, { rawBody: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['of no type that exists', 415, { rawBody: '{}', headers: { 'content-type': 'json' } }],
    ['in an unknown encoding', 415, { rawBody: '{}', headers: { 'content-encoding': 'snappy' } }],
    ['in an unknown charset', 415, { rawBody: '{}', headers: { 'content-type': 'application/json; charset=klingon' } }],
  ];

  const attacks = withBody.flatMap((route, index) =>
    attackShare(cases, index).map((attack) => [`${route.method} ${route.path}`, ...attack, route] as const),
  );
  test.each(attacks)('%s with a body that is %s: %i', async (_name, _what, expected, options, route) => {
    const before = await everything();
    const { status } = await api.call(route.method.toUpperCase(), pathOf(route.path), options);
    expect(status).toBe(expected);
    expect(await everything()).toEqual(before);
  });

  const faulty: [string, { rawBody: string | Buffer; headers?: Record<string, string> }, object][] = [
    ['of another type', { rawBody: '5' }, { details: [{ path: '', message: 'must be an object' }] }],
    ['that ends too early', { rawBody: '{"name":' }, { message: 'the body is not valid JSON: it ends too early' }],
    [
      'with a comma too many',
      { rawBody: '{\n  "name": "w",\n}' },
      { message: 'the body is not valid JSON: see line 3, column 1' },
    ],
    ['that is no JSON', { rawBody: 'name=w' }, { message: 'the body is not valid JSON' }],
    ['null', { rawBody: 'null' }, { details: [{ path: '', message: 'must be an object' }] }],
    [
      'that names a key twice',
      { rawBody: '{"nodes":[{"name":"a","parameters":{"x/y":1,"x/y":2}}]}' },
      { details: [{ path: '/nodes/0/parameters/x~1y', message: 'appears more than once' }] },
    ],
    [
      'with a number beyond a double',
      { rawBody: '{"nodes":[{"position":[0,1e400]}]}' },
      { details: [{ path: '/nodes/0/position/1', message: 'a number is out of range' }] },
    ],
    ['that is no UTF-8', { rawBody: Buffer.from('{"name":"\xff"}', 'latin1') }, { message: 'the body is not valid UTF-8' }],
    ...['gzip', 'deflate', 'br'].map((encoding): [string, { rawBody: string; headers: Record<string, string> }, object] => [
      `that is no ${encoding}`,
      { rawBody: '{bad', headers: { 'content-encoding': encoding } },
      { message: `the body is not valid ${encoding}, as declared in Content-Encoding` },
    ]),
  ];
  test.each(faulty)('the error names the problem of a body %s', async (_, options, expected) => {
    const { status, body } = await api.call('POST', '/workflows', options);
    expect([status, body]).toEqual([400, expect.objectContaining(expected)]);
  });

  test('null is listed among the allowed values only if it is allowed', async () => {
    for (const vote of ['x', 1]) {
      const { body } = await api.call('PATCH', pathOf('/executions/:id'), { body: { annotation: { vote } } });
      expect(body.details).toEqual([{ path: '/annotation/vote', message: 'must be one of up, down, null' }]);
    }
  });

  test('long values are truncated when quoted', async () => {
    const long = 'x'.repeat(20_000);
    for (const body of [
      { ...aSmallWorkflow(), projectId: long },
      { name: 'w', nodes: [], connections: { [long]: {} } },
    ]) {
      const { status, body: response } = await api.call('POST', '/workflows', { body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(response).length).toBeLessThan(5000);
    }
  });

  const wrong: [string, string, unknown][] = [
    ['POST', '/workflows', {}],
    ['POST', '/workflows', { ...aSmallWorkflow(), name: 'a\u0000b' }],
    ['POST', '/workflows', { ...aSmallWorkflow(), name: ' ' }],
    ['POST', '/workflows', { ...aSmallWorkflow(), name: 'x'.repeat(129) }],
    ['POST', '/workflows', { ...aSmallWorkflow(), id: '../../etc/passwd' }],
    ['POST', '/workflows', { ...aSmallWorkflow(), id: '' }],
    ['POST', '/workflows', { ...aSmallWorkflow(), id: 7 }],
    ['POST', '/workflows', { ...aSmallWorkflow(), projectId: '\u0000' }],
    ['POST', '/workflows', { ...aSmallWorkflow(), staticData: [] }],
    [
      'POST',
      '/workflows',
      { ...aSmallWorkflow(), nodes: [{ name: 'a\u0000', type: 't', position: [0, 0], parameters: {} }], connections: {} },
    ],
    ['PUT', '/workflows/:id/transfer', { destinationProjectId: '' }],
    ['PATCH', '/workflows/:id', { name: null }],
    ['PATCH', '/workflows/:id', { nodes: 'x' }],
    ['POST', '/workflows/:id/run', { workflowData: {} }],
    ['POST', '/workflows/:id/run', { workflowData: null }],
    ['POST', '/workflows/:id/run', { workflowData: { ...aSmallWorkflow(), name: ' ' } }],
    ['POST', '/workflows/:id/run', { startNodes: [1] }],
    ['POST', '/workflows/:id/run', { runData: { a: 1 } }],
    ['POST', '/executions/stopMany', {}],
    ['POST', '/executions/stopMany', { filter: { status: 'running' } }],
    ['POST', '/executions/stopMany', { filter: { status: ['success'] } }],
    ['POST', '/executions/stopMany', { filter: { status: ['running'], workflowId: '\u0000' } }],
    ['POST', '/executions/stopMany', { filter: { status: ['running'], startedAfter: 'soon' } }],
    ['POST', '/executions/:id/retry', { loadWorkflow: 'yes' }],
    ['POST', '/executions/delete', {}],
    ['POST', '/executions/delete', { ids: '1' }],
    ['POST', '/executions/delete', { ids: [1] }],
    ['POST', '/executions/delete', { ids: Array(10_001).fill('1') }],
  ];
  test.each(wrong)('%s %s with invalid values is 400: %j', async (method, path, body) => {
    const { status, body: response } = await api.call(method, pathOf(path), { body });
    expect([status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a missing body counts as {} if no property is required; otherwise it is 400', async () => {
    expect((await api.call('POST', '/workflows')).status).toBe(400);
    expect((await api.call('POST', '/executions/delete')).status).toBe(400);
    expect((await api.call('POST', `/workflows/${workflowId}/run`)).status).toBe(200);
  });
});

describe('queries', () => {
  const get = (query: string) => api.call('GET', `/workflows?${query}`);

  const noText = ['name=%ff', 'unknown=%c3%28', '%ff=x', 'limit=5&name=a%ED%A0%80'];
  test.each(noText)('that are not UTF-8 are 400: %s', async (query) => {
    const { status, body } = await get(query);
    expect([status, body.message]).toEqual([400, 'the query is not valid UTF-8']);
  });

  const text = ['name=100%', 'name=%zz', 'name=%C3%A9', 'name=a+b'];
  test.each(text)('with a percent sign are valid: %s', async (query) => {
    expect((await get(query)).status).toBe(200);
  });

  const structured = ['name[]=a', 'name[x]=a', 'limit[0]=1'];
  test.each(structured)('that turn a value into a list or an object are 400: %s', async (query) => {
    const { status, body } = await get(query);
    expect([status, body.details[0].path]).toEqual([400, `/${query.split('[')[0]}`]);
  });

  test('that repeat a parameter or have an unknown filter field are 400 with the reason', async () => {
    expect((await get('limit=1&limit=2')).body.details).toEqual([{ path: '/limit', message: 'appears more than once' }]);
    for (const filter of ['filter[label]=x', 'filter={"label":"x"}']) {
      const { status, body } = await api.call('GET', `/credentials?${filter}`);
      expect([status, body.details]).toEqual([
        400,
        [{ path: '/filter', message: 'has only the fields name, type, projectId' }],
      ]);
    }
  });

  test.each([
    ['{"name":1}', '/filter/name', 'must be a string'],
    ['5', '/filter', 'must be an object'],
    ['{', '/filter', 'must be a JSON object'],
    ['{"name":"a","name":"b"}', '/filter', 'must name each key once'],
    ['{"name":[[[[[[[[[[1]]]]]]]]]]}', '/filter/name', 'must be a string'],
  ])('with the filter %s are 400 with the reason', async (filter, path, message) => {
    const { status, body } = await api.call('GET', `/credentials?filter=${encodeURIComponent(filter)}`);
    expect([status, body.details]).toEqual([400, [{ path, message }]]);
  });
});

describe('ids', () => {
  test.each([
    ['GET', '/executions/%20', 404, 'execution " " does not exist'],
    ['POST', '/executions/x%0Ay/stop', 404, 'execution "x\\ny" does not exist'],
    ['GET', `/users/${'x'.repeat(5_000)}`, 404, `user "${'x'.repeat(64)}" does not exist`],
    ['DELETE', '/projects/%20', 404, 'project " " does not exist'],
    ['DELETE', '/api-keys/%20', 404, 'API key " " does not exist'],
    ['DELETE', '/sessions/%20', 404, 'session " " does not exist'],
    ['GET', '/workflows/%20', 404, 'workflow " " does not exist'],
    ['POST', '/workflows/%20/run', 404, 'workflow " " does not exist'],
    ['GET', `/credentials/${'x'.repeat(5_000)}`, 404, `credential "${'x'.repeat(64)}" does not exist`],
    ['DELETE', '/tags/%20', 404, 'tag " " does not exist'],
    ['GET', '/data-tables/%20/rows', 404, 'data table " " does not exist'],
    ['POST', '/event-subscriptions/x%0Ay/test', 404, 'event subscription "x\\ny" does not exist'],
    ['POST', '/executions//stop', 404, 'there is nothing at this path: one of its segments is empty'],
    ['DELETE', '/workflows/', 405, 'this path accepts only these methods: GET, HEAD, POST; its last segment is empty'],
  ])('are quoted in errors with escapes: %s %s', async (method, path, status, message) => {
    const response = await fetch(`${api.url}/api/v1${path}`, { method, headers: { 'x-service-api-key': ownerKey } });
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ message })]);
  });

  const ids = [
    '0',
    '-1',
    '1e3',
    '9223372036854775808',
    '99999999999999999999999',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%',
    '%E0%A4%A',
    'a%20b',
  ];
  const more = ["'%20or%201=1--", '__proto__', 'constructor', 'x'.repeat(5_000), '%F0%9F%A6%8A', '.', '%2e%2e'];
  const attacks = withId.flatMap((route, index) =>
    attackShare([...ids, ...more], index).map((id) => [route.method, route.path, id] as const),
  );
  test.each(attacks)('%s %s with id %s is 404', async (method, path, id) => {
    const endpoint = `${method.toUpperCase()} ${path}`;
    const body = JSON.stringify(bodyOf(endpoint, things) ?? {});
    const query = queryOf(endpoint);
    const requestLine = `${method.toUpperCase()} /api/v1${path.replaceAll(/:\w*id\b/gi, () => id)}${query} HTTP/1.1`;
    const { status } = await raw(requestLine, `Content-Length: ${body.length}`, body);
    expect(status).toBe(404);
  });

  test.each([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/workflows/a/b/c',
    '/api/v2/workflows',
    '/API/V1/x',
    '/API/V1/workflows',
    '/Api/v1/openapi.json',
    '/api/v1/Docs',
    '/Healthz',
    '//x',
    '/*',
  ])('GET %s is 404', async (path) => {
    expect((await raw(`GET ${path} HTTP/1.1`)).status).toBe(404);
  });

  test.each(['PUT', 'DELETE', 'OPTIONS', 'TRACE'])('%s /workflows is 405 and lists the allowed methods', async (method) => {
    const { status, body, headers } = await api.call(method === 'TRACE' ? 'PATCH' : method, '/workflows');
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD, POST']);
    expect((await raw(`${method} /api/v1/workflows HTTP/1.1`)).status).toBe(405);
  });
});

describe('queries', () => {
  const common = [
    'limit=0',
    'limit=251',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1&limit=2',
    'limit=1e2',
    'limit=0x10',
  ];
  const cursors = [
    'cursor=',
    'cursor=x',
    'cursor=e30',
    'cursor=bnVsbA',
    'cursor=%00',
    'cursor=a&cursor=b',
    `cursor=${'A'.repeat(2_000)}`,
  ];
  const foreign = (position: object) => `cursor=${Buffer.from(JSON.stringify(position)).toString('base64url')}`;
  const both = [
    foreign({ kind: 'other', id: '1' }),
    foreign({ kind: 'executions', id: '1; drop' }),
    foreign({ kind: 'workflows', id: 'a', at: 'now' }),
  ];
  const paged = [...common, ...cursors, ...both];
  const workflows = [
    ...paged,
    foreign({ kind: 'executions', id: '1' }),
    'active=1',
    'active=',
    'active=TRUE',
    'excludePinnedData=yes',
    'name=%00',
    'projectId=%00',
    'name[a]=1&name=2&name=3',
  ];
  const dates = ['startedAfter=yesterday', 'startedBefore=2026-02-30T99:00', 'startedAfter='];
  const executions = [
    ...paged,
    ...dates,
    'status=done',
    'status=',
    'status=new,',
    'mode=x',
    'includeData=1',
    'lastId=x',
    'lastId=0',
    'workflowId=%00',
    'lastId=9223372036854775808',
  ];

  test.each(workflows)('GET /workflows?%s is 400', async (query) => {
    expect((await api.call('GET', `/workflows?${query}`)).status).toBe(400);
  });
  test.each(executions)('GET /executions?%s is 400', async (query) => {
    expect((await api.call('GET', `/executions?${query}`)).status).toBe(400);
  });
  test.each(withQuery.map((route) => [route.path]))('GET %s ignores unknown parameters', async (path) => {
    expect((await api.call('GET', `${pathOf(path)}?unknown=1&__proto__=2&constructor[x]=3`)).status).toBe(200);
  });
  test('limits and cursors at their bounds are accepted', async () => {
    expect((await api.call('GET', '/workflows?limit=1')).status).toBe(200);
    expect((await api.call('GET', '/executions?limit=250')).status).toBe(200);
    const unsigned = await api.call('GET', `/executions?${foreign({ kind: 'executions', id: '1' })}`);
    expect(unsigned.status).toBe(400);
  });
});

describe('malformed HTTP', () => {
  test('headers above the limit are 431 in JSON', async () => {
    expect(await raw('GET /api/v1/workflows HTTP/1.1', `X-Big: ${'x'.repeat(20_000)}`)).toMatchObject({
      status: 431,
      body: { code: 'HEADERS_TOO_LARGE' },
    });
  });
  const refusal = {
    status: 400,
    body: { code: 'VALIDATION_ERROR', details: [{ path: expect.any(String), message: expect.any(String) }] },
  };
  test('malformed data is 400 in JSON', async () => {
    expect(await raw('NONSENSE')).toMatchObject(refusal);
  });
  test('an unknown expectation is 417 in JSON', async () => {
    const response = await raw('GET /api/v1/workflows HTTP/1.1', 'Expect: weird');
    expect(response).toMatchObject({ status: 417, body: { code: 'EXPECTATION_FAILED' } });
  });
  test('a CONNECT request is 404 in JSON', async () => {
    expect(await raw('CONNECT example.org:443 HTTP/1.1')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
  test('a request without Host is 400 in JSON, unless it is HTTP/1.0', async () => {
    const refused = await sendRaw('GET /api/v1/workflows HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(refused).toMatchObject(refusal);
    const old = await sendRaw('GET /nothing HTTP/1.0\r\n\r\n');
    expect(old).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
  test('several Host headers are 400 in JSON', async () => {
    const refused = await raw('GET /api/v1/workflows HTTP/1.1', 'Host: y');
    expect(refused).toMatchObject(refusal);
    const old = await sendRaw('GET /nothing HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n');
    expect(old).toMatchObject(refusal);
  });
  test.each([
    ['POST /nothing', '', 404],
    ['POST /webhook/nothing', '', 404],
    ['POST /api/v1/workflows', 'X-Service-Api-Key: wrong', 401],
    ['POST /api/v1/workflows', `X-Service-Api-Key: ${ownerKey}\r\nContent-Type: text/plain`, 415],
    ['POST /api/v1/workflows', `X-Service-Api-Key: ${ownerKey}\r\nContent-Type: application/json`, 413],
  ])('%s with Expect is rejected based on its headers, before its body: %s', async (line, headers, status) => {
    const head = ['Host: x', 'Expect: 100-continue', 'Content-Length: 70000', headers].filter(Boolean).join('\r\n');
    // The service closes the connection, since the body may still arrive; otherwise this would not
    // end.
    expect((await sendRaw(`${line} HTTP/1.1\r\n${head}\r\n\r\n`)).status).toBe(status);
  });
  test('a body sent with Expect is accepted, and its connection is kept', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    for (let round = 0; round < 2; round++) {
      const body = JSON.stringify(aSmallWorkflow());
      const headers = {
        expect: '100-continue',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-service-api-key': ownerKey,
      };
      const outgoing = request(`${api.url}/api/v1/workflows`, { method: 'POST', headers, agent });
      outgoing.flushHeaders();
      await once(outgoing, 'continue');
      sockets.add(outgoing.socket);
      const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
      outgoing.end(body);
      const [response] = await answered;
      await once(response.resume(), 'end');
      expect(response.statusCode).toBe(201);
    }
    expect(sockets.size).toBe(1);
    agent.destroy();
  });
  test('a body with an excessive Content-Length is 413 before it arrives', async () => {
    const response = await raw('POST /api/v1/workflows HTTP/1.1', 'Content-Length: 1000000000000');
    expect(response).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });
  test('a body that exceeds the limit is 413 while it arrives', async () => {
    const headers = { 'x-service-api-key': ownerKey, 'content-type': 'application/json' };
    expect(await statusOfEndless(`${api.url}/api/v1/workflows`, headers, '"')).toBe(413);
  });
  test('the request ID of a client is kept if it is safe', async () => {
    const response = await raw('GET /nothing HTTP/1.1', 'X-Request-Id: abc-1');
    expect(response.body.requestId).toBe('abc-1');
    const evil = await raw('GET /nothing HTTP/1.1', 'X-Request-Id: a"b<c>');
    expect(evil.body.requestId).not.toContain('<');
  });
});

/** Sends a request unchanged: standard clients would normalize it. */
async function raw(
  requestLine: string,
  header = '',
  body = '',
): Promise<{ status: number; body: { code?: string; requestId: string } }> {
  const headers = [
    'Host: x',
    'Connection: close',
    `X-Service-Api-Key: ${ownerKey}`,
    'Content-Type: application/json',
    header,
  ].filter(Boolean);
  return sendRaw(`${requestLine}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}

async function sendRaw(request: string): Promise<{ status: number; body: { code?: string; requestId: string } }> {
  const { port } = new URL(api.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(request);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  const [head = '', json = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(json) };
}
