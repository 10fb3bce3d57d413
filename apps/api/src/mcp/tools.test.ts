import { describe, expect, test } from '@jest/globals';
import { compileValidator } from '@sluice/contract';
import type { JsonObject } from '@sluice/domain';
import { aSmallWorkflow, longestBusy } from '@sluice/test-support';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { assertWhole, toRouteInput } from './tool-arguments.ts';
import { type Tool, tools } from './tools.ts';

const tool = (name: string) => tools.find((one) => one.name === name) as Tool;
const schemaOf = ({ definition }: Tool) => definition['inputSchema'] as { properties: JsonObject; required: string[] };

describe.each(tools.map((one) => [one.name, one] as const))('%s', (_, one) => {
  test('has a description, and argument names and schemas that model providers accept', () => {
    const { properties, required } = schemaOf(one);
    expect(one.definition['description']).toMatch(/^[A-Z].{15,}/);
    for (const name of Object.keys(properties)) expect(name).toMatch(/^\w{1,64}$/);
    expect(required.filter((name) => !Object.hasOwn(properties, name))).toEqual([]);
    expect(() => new Ajv({ strict: true, allowUnionTypes: true }).compile(schemaOf(one))).not.toThrow();
    expect(JSON.stringify(properties)).not.toMatch(/"(?:pattern|format|x-message|\$ref)":/);
  });

  test('has no parameter that is named like a body property', () => {
    const { properties = {} } = (one.route.body ?? {}) as { properties?: object };
    expect(one.parameters.filter(({ argument }) => Object.hasOwn(properties, argument))).toEqual([]);
  });

  test('never deletes, and requires a key', () => {
    expect([one.route.method, one.route.scope]).not.toEqual(['delete', expect.anything()]);
    expect(['none', 'public', 'every scope']).not.toContain(one.route.scope);
  });
});

test('a schema accepts the same input as the body of the route', () => {
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(schemaOf(tool('createWorkflow')));
  expect(validate(aSmallWorkflow())).toBe(true);
  expect(validate({ ...aSmallWorkflow(), nodes: [{}] })).toBe(false);
  expect(() => compileValidator(tool('createWorkflow').route.body as never)(structuredClone(aSmallWorkflow()))).not.toThrow();
});

describe('arguments', () => {
  test('become path, query, headers, and body', () => {
    const args = { id: 'a/b', ifMatch: '"1"', name: 'n' };
    expect(toRouteInput(tool('updateWorkflow'), args)).toEqual({
      params: { id: 'a/b' },
      query: {},
      headers: new Map([['if-match', '"1"']]),
      body: { name: 'n' },
    });
    expect(toRouteInput(tool('listExecutions'), { limit: 5, status: 'error', cursor: null })).toMatchObject({
      query: { limit: '5', status: 'error' },
      body: undefined,
    });
  });

  test('are omitted if they are null, unless the route accepts null', () => {
    const args = { id: 'a', ifMatch: null, name: null, nodes: null, staticData: null, pinData: null };
    const { headers, body } = toRouteInput(tool('updateWorkflow'), args);
    expect([headers.size, body]).toEqual([0, { staticData: null, pinData: null }]);
  });

  test('can be numbers where the route accepts strings', () => {
    expect(toRouteInput(tool('getExecution'), { id: 42, includeData: true })).toMatchObject({
      query: { includeData: 'true' },
    });
  });

  test.each([
    [{}, ['/id']],
    [{ id: null }, ['/id']],
    [{ id: '' }, ['/id']],
    [{ id: { a: 1 } }, ['/id']],
    [{ id: '\ud800' }, ['/id']],
    [{ id: 'a', ID: 'b', execution: 1 }, ['/ID', '/execution']],
  ])('%j are rejected with their paths', (args, paths) => {
    const refuse = () => toRouteInput(tool('getExecution'), args as JsonObject);
    expect(refuse).toThrow(expect.objectContaining({ details: paths.map((path) => expect.objectContaining({ path })) }));
  });

  test('are rejected if they contain a truncation mark at any depth', async () => {
    const cut = { nodes: [{ parameters: { text: 'x[cut: 12 more characters]' } }] };
    await expect(assertWhole(cut)).rejects.toThrow('the arguments are not valid');
    await expect(assertWhole({ name: '[cut: my hair]' })).resolves.toBeUndefined();
  });

  test('of maximum size are searched for truncation marks without blocking the event loop', async () => {
    const wide = { nodes: Array.from({ length: 500_000 }, () => ({ a: 1, b: '[cut: 1' })) };
    expect(await longestBusy(() => assertWhole(wide))).toBeLessThan(250);
  });
});
