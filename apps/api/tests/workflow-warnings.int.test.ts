import { afterAll, expect, test } from '@jest/globals';
import type { WorkflowNode } from '@sluice/domain';
import { aNode, anUnknownComparison, aSmallWorkflow } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

const workflowWith = (node: { type: string } & Partial<WorkflowNode>) => ({
  name: 'Warned',
  nodes: [aNode({ name: 'Check', ...node })],
  connections: {},
});
const codesOf = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);
test.each([
  ['a list in place of an object', { typeVersion: 2.2, parameters: { conditions: [{ field: 'a', op: 'eq' }] } }, 'conditions'],
  ['conditions in the format of version 1', { parameters: { conditions: { string: [{ value1: 'a' }] } } }, 'conditions.string'],
  [
    'an unknown operator',
    { typeVersion: 2.2, parameters: { conditions: { conditions: [anUnknownComparison] } } },
    'conditions.conditions.0.operator.operation',
  ],
])('creation, update, and activation warn about an If node with %s', async (_, node, path) => {
  const warnings = [{ code: 'INVALID_PARAMETER', node: 'Check', path, message: expect.stringContaining(`"${path}"`) }];
  const body = workflowWith({ type: 'base.if', ...node });
  const created = await api.call('POST', '/workflows', { body });
  expect(created).toMatchObject({ status: 201, body: { warnings } });
  const { id } = created.body;
  const updated = await api.call('PATCH', `/workflows/${id}`, { body });
  expect(updated).toMatchObject({ status: 200, body: { warnings } });
  const activated = await api.call('POST', `/workflows/${id}/activate`);
  expect(activated.status).toBe(200);
  expect(activated.body.warnings).toEqual([expect.objectContaining({ code: 'NO_TRIGGER' }), ...warnings]);
});

test('creation, update, and activation warn about a parameter that other parameters hide', async () => {
  const message = 'the parameter "jsonOutput" is used only if "mode" is "raw"';
  const warnings = [{ code: 'UNUSED_PARAMETER', node: 'Check', path: 'jsonOutput', message }];
  const body = workflowWith({ type: 'base.set', typeVersion: 3.4, parameters: { jsonOutput: '{"q":1}' } });
  const created = await api.call('POST', '/workflows', { body });
  expect(created).toMatchObject({ status: 201, body: { warnings } });
  const { id } = created.body;
  expect(await api.call('PATCH', `/workflows/${id}`, { body })).toMatchObject({ status: 200, body: { warnings } });
  const activated = await api.call('POST', `/workflows/${id}/activate`);
  expect(activated.body.warnings).toEqual([expect.objectContaining({ code: 'NO_TRIGGER' }), ...warnings]);
});

test('creation and update warn about settings without effect', async () => {
  const settings = { timezone: 'Mars/Olympus', executionTimeout: 60, callerPolicy: 'everyone' };
  const body = { name: 'Settings', nodes: [], connections: {}, settings };
  const warnings = ['timezone', 'callerPolicy'].map((name) => ({
    code: 'INVALID_WORKFLOW_SETTING',
    path: `settings.${name}`,
    message: expect.stringContaining(`"${name}"`),
  }));
  const created = await api.call('POST', '/workflows', { body });
  expect([created.status, created.body.warnings]).toEqual([201, warnings]);
  expect((await api.call('PATCH', `/workflows/${created.body.id}`, { body })).body.warnings).toEqual(warnings);
});

test.each([
  [
    { type: 'base.if', typeVersion: 2.2, parameters: { condtions: {} } },
    { code: 'INVALID_PARAMETER', path: 'condtions' },
  ],
  [
    { type: 'base.set', typeVersion: 3.4, parameters: { values: { string: [{ name: 'a', value: 'b' }] } } },
    { code: 'INVALID_PARAMETER', path: 'values' },
  ],
  [
    { type: 'base.if', typeVersion: 2.2, parameters: { conditions: { options: { typeValidation: 'banana' } } } },
    { code: 'INVALID_PARAMETER', path: 'conditions.options.typeValidation' },
  ],
  [
    { type: 'base.set', typeVersion: 3.4, parameters: { assignments: { assignments: [{ name: 'a', type: 'bogus' }] } } },
    { code: 'INVALID_PARAMETER', path: 'assignments.assignments.0.type' },
  ],
  [
    { type: 'base.http-request', typeVersion: 4.2, parameters: {} },
    { code: 'INVALID_PARAMETER', path: 'url' },
  ],
  [
    { type: 'base.http-request', typeVersion: 4.2, parameters: { url: ['x'] } },
    { code: 'INVALID_PARAMETER', path: 'url' },
  ],
  [
    { type: 'base.limit', parameters: { maxItems: -5 } },
    { code: 'INVALID_PARAMETER', path: 'maxItems' },
  ],
  [
    { type: 'base.wait', parameters: { amount: -1 } },
    { code: 'INVALID_PARAMETER', path: 'amount' },
  ],
  [
    { type: 'base.if', typeVersion: 1, parameters: { conditions: null } },
    { code: 'INVALID_PARAMETER', path: 'conditions' },
  ],
  [
    { type: 'base.kafka', parameters: { useSchemaRegistry: true } },
    { code: 'NOT_SUPPORTED', path: 'useSchemaRegistry' },
  ],
  [{ type: 'no.such' }, { code: 'UNKNOWN_NODE_TYPE' }],
  [{ type: 'base.if', typeVersion: 99 }, { code: 'UNKNOWN_NODE_TYPE_VERSION' }],
])('creation warns about %j', async (node, warning) => {
  const { body } = await api.call('POST', '/workflows', { body: workflowWith(node) });
  expect(body.warnings).toEqual([expect.objectContaining({ node: 'Check', ...warning })]);
});

test('an update of an active workflow warns that the active version is unchanged', async () => {
  const { id } = (await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body;
  await api.call('POST', `/workflows/${id}/activate`);
  const same = await api.call('PATCH', `/workflows/${id}`, { body: { name: aSmallWorkflow().name } });
  expect(codesOf(same.body)).not.toContain('ACTIVE_VERSION_UNCHANGED');
  const changed = await api.call('PATCH', `/workflows/${id}`, { body: { name: 'Another name' } });
  expect(codesOf(changed.body)).toContain('ACTIVE_VERSION_UNCHANGED');
  await api.call('POST', `/workflows/${id}/activate`);
  const again = await api.call('PATCH', `/workflows/${id}`, { body: { name: 'Another name' } });
  expect(codesOf(again.body)).not.toContain('ACTIVE_VERSION_UNCHANGED');
});

test('a workflow without problems has no warnings', async () => {
  const { body } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
  expect(body).not.toHaveProperty('warnings');
});
