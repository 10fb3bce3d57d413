import { describe, expect, test } from '@jest/globals';
import type { ValidationError } from '@sluice/domain';
import { listExecutionsQuery, stopManyBody } from './execution.ts';
import { runWorkflowBody } from './run.ts';
import { Type } from './schema-builder.ts';
import { instant, nullable, oneOf } from './schema-helpers.ts';
import { compileValidator, maxIssues } from './validator.ts';
import { createWorkflowBody, updateWorkflowBody } from './workflow.ts';

const create = compileValidator(createWorkflowBody);
const node = { name: 'a', type: 'core.noOp', position: [0, 0], parameters: {} };
const workflow = { name: 'w', nodes: [node], connections: {} };

function issuesOf(validate: (value: unknown) => unknown, value: unknown): unknown {
  try {
    validate(value);
  } catch (error) {
    return (error as ValidationError).details;
  }
  return [];
}

describe('a workflow body', () => {
  test('keeps properties that the schema does not define', () => {
    const body = { ...workflow, nodes: [{ ...node, notes: 'n', webhookId: 'x' }], settings: { mine: { deep: [1] } }, extra: 1 };
    expect(create(structuredClone(body))).toEqual(body);
  });

  test('accepts nodes and keys named __proto__ as data', () => {
    const text = `{"name":"w","nodes":[{"name":"__proto__","type":"t","position":[0,0],"parameters":{"__proto__":{"x":1}}}],
      "connections":{"__proto__":{"main":[[{"node":"__proto__","type":"main","index":0}],null]}},"__proto__":{"polluted":true}}`;
    const body = create(JSON.parse(text));
    expect(JSON.parse(JSON.stringify(body))).toEqual(JSON.parse(text));
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test.each([
    ['the name is missing', { ...workflow, name: undefined }, '/name'],
    ['the name is a number', { ...workflow, name: 1 }, '/name'],
    ['the name is blank', { ...workflow, name: ' \n\t' }, '/name'],
    ['the name is empty', { ...workflow, name: '' }, '/name'],
    ['the name holds U+0000', { ...workflow, name: 'a\u0000b' }, '/name'],
    ['the name holds half a surrogate pair', { ...workflow, name: 'a\ud800' }, '/name'],
    ['the name is over 128 code points', { ...workflow, name: '🦊'.repeat(129) }, '/name'],
    ['nodes is an object', { ...workflow, nodes: {} }, '/nodes'],
    ['a node has no type', { ...workflow, nodes: [{ ...node, type: undefined }] }, '/nodes/0/type'],
    ['a node is null', { ...workflow, nodes: [null] }, '/nodes/0'],
    ['a position has one number', { ...workflow, nodes: [{ ...node, position: [1] }] }, '/nodes/0/position'],
    ['parameters is an array', { ...workflow, nodes: [{ ...node, parameters: [] }] }, '/nodes/0/parameters'],
    ['connections is an array', { ...workflow, connections: [] }, '/connections'],
    [
      'an index is negative',
      { ...workflow, connections: { a: { main: [[{ node: 'a', type: 'main', index: -1 }]] } } },
      '/connections/a/main/0/0/index',
    ],
    ['settings is null', { ...workflow, settings: null }, '/settings'],
    ['a pinned item is no object', { ...workflow, pinData: { a: ['x'] } }, '/pinData/a/0'],
    ['a tag is a number', { ...workflow, tags: [1] }, '/tags/0'],
    ['the id would escape a path', { ...workflow, id: '../x' }, '/id'],
    ['the body is an array', [], ''],
    ['the body is a string', 'x', ''],
  ])('is refused with the path of the error if %s', (_, body, path) => {
    const input = body === 'x' ? body : JSON.parse(JSON.stringify(body));
    expect(issuesOf(create, input)).toEqual([expect.objectContaining({ path })]);
  });

  test.each([
    ['priority', 0],
    ['priority', 11],
    ['priority', 2.5],
    ['priority', '5'],
    ['executionTimeout', '60'],
    ['executionTimeout', 2_147_484],
    ['timezone', 1],
    ['errorWorkflow', 1],
    ['executionOrder', 'v2'],
    ['concurrency', 2],
    ['callerPolicy', true],
    ['callerIds', ['a']],
    ['saveDataSuccessExecution', false],
    ['saveDataErrorExecution', 1],
    ['saveManualExecutions', 1],
    ['misfirePolicy', {}],
    ['overlapPolicy', []],
  ])('is refused with the path of the error if the setting %s is %j', (setting, value) => {
    expect(issuesOf(create, { ...workflow, settings: { [setting]: value } })).toEqual([
      expect.objectContaining({ path: `/settings/${setting}` }),
    ]);
  });

  test('can have settings at the ends of their ranges, and those that other services write', () => {
    const ends = [
      { priority: 1, executionTimeout: -1, timezone: 'DEFAULT', errorWorkflow: '' },
      { priority: 10, executionTimeout: 2_147_483, saveManualExecutions: 'DEFAULT', saveDataErrorExecution: 'DEFAULT' },
      { saveManualExecutions: false, callerPolicy: null, callerIds: '', misfirePolicy: 'later', saveExecutionProgress: true },
    ];
    for (const settings of ends) expect(issuesOf(create, { ...workflow, settings })).toEqual([]);
  });

  test('can have a name of 128 code points outside the basic plane', () => {
    expect(issuesOf(create, { ...workflow, name: '🦊'.repeat(128) })).toEqual([]);
  });

  test('reports all errors of a small body and at most a handful of a large one', () => {
    expect(issuesOf(create, {})).toHaveLength(3);
    expect(issuesOf(create, { ...workflow, nodes: Array(500).fill(1) })).toHaveLength(maxIssues);
    expect(issuesOf(create, { ...workflow, nodes: Array(100_000).fill(1) })).toHaveLength(1);
  });

  test('needs nothing on update', () => {
    expect(compileValidator(updateWorkflowBody)({})).toEqual({});
  });
});

describe('messages', () => {
  const schema = Type.Object({
    text: Type.String({ minLength: 1, maxLength: 3 }),
    count: Type.Integer({ minimum: 1, maximum: 9 }),
    flag: Type.Boolean(),
    data: nullable(Type.Object({}, { maxProperties: 1 })),
    list: Type.Array(oneOf(['a', 'b']), { minItems: 1, maxItems: 2, uniqueItems: true }),
    pair: Type.Array(Type.Number(), { minItems: 2 }),
    at: instant,
  });
  const valid = { text: 'abc', count: 1, flag: true, data: null, list: ['a'], pair: [1, 2], at: '2026-01-01' };

  test.each<[string, unknown, string]>([
    ['/text', 5, 'must be a string'],
    ['/text', '', 'must not be empty'],
    ['/text', 'abcd', 'must have at most 3 characters'],
    ['/count', 'x', 'must be an integer'],
    ['/count', 0, 'must be at least 1'],
    ['/count', 10, 'must be at most 9'],
    ['/flag', 'yes', 'must be true or false'],
    ['/data', [], 'must be an object or null'],
    ['/data', { a: 1, b: 2 }, 'must not have more than 1 fields'],
    ['/list', {}, 'must be an array'],
    ['/list', [], 'must not be empty'],
    ['/list', ['a', 'b', 'a'], 'must have at most 2 items'],
    ['/list', ['a', 'a'], 'must not contain an item twice'],
    ['/list/0', ['c'], 'must be one of a, b'],
    ['/list/0', [1], 'must be one of a, b'],
    ['/pair', [1], 'must have at least 2 items'],
    ['/pair/0', ['1', 2], 'must be a number'],
    ['/at', 'soon', 'must be an ISO 8601 date or date-time'],
  ])('describe in plain English what %s must be instead of %j', (path, value, message) => {
    const body = { ...valid, [path.split('/')[1] as string]: value };
    const issues = issuesOf(compileValidator(schema), body) as { path: string }[];
    expect(issues.filter((issue) => issue.path === path)).toContainEqual({ path, message });
  });
});

describe('other bodies and queries', () => {
  test('a filter of stopMany has known fields only, which one issue lists', () => {
    const filter = { status: ['running'], workflow: 'a', project: 'b' };
    const details = [{ path: '/filter', message: expect.stringMatching(/^has only the fields workflowId, /) }];
    expect(() => compileValidator(stopManyBody)({ filter })).toThrow(expect.objectContaining({ details }));
  });

  test('a run needs no body fields', () => {
    expect(issuesOf(compileValidator(runWorkflowBody), {})).toEqual([]);
    expect(issuesOf(compileValidator(runWorkflowBody), { startNodes: 'a' })).toHaveLength(1);
  });

  test('stopMany accepts running, waiting and queued, nothing else', () => {
    const validate = compileValidator(stopManyBody);
    expect(issuesOf(validate, { filter: { status: ['running', 'waiting', 'queued'], workflowId: 'all' } })).toEqual([]);
    for (const status of ['new', 'success', '']) expect(issuesOf(validate, { filter: { status: [status] } })).toHaveLength(1);
    expect(issuesOf(validate, { filter: {} })).toHaveLength(1);
    expect(issuesOf(validate, { filter: { status: [], startedAfter: 'yesterday' } })).toHaveLength(1);
  });

  test('a page has 100 entries unless the query says otherwise', () => {
    const validate = compileValidator(listExecutionsQuery);
    expect(validate({})).toEqual({ limit: 100, includeData: false });
    for (const limit of [0, 251, -1, 1.5, '10']) expect(issuesOf(validate, { limit })).toHaveLength(1);
    for (const status of ['error,success', 'new', 'crashed']) expect(issuesOf(validate, { status })).toEqual([]);
    for (const status of ['', 'bad', 'error,', 'Error']) expect(issuesOf(validate, { status })).toHaveLength(1);
    for (const lastId of ['0', 'x', '-1', '9223372036854775808']) expect(issuesOf(validate, { lastId })).toHaveLength(1);
  });
});
