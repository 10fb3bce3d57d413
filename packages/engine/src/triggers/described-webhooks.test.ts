import { describe, expect, test } from '@jest/globals';
import type { WorkflowNode } from '@sluice/domain';
import type { NodeType, WebhookDescription } from '@sluice/node-sdk';
import { TestSandbox } from '../testing/test-sandbox.ts';
import { listTriggers } from './list-triggers.ts';

function typeWith(webhooks: WebhookDescription[], more: Partial<NodeType> = {}): NodeType {
  return {
    description: {
      displayName: 'Hook',
      name: 'hook',
      group: ['trigger'],
      version: 1,
      description: '',
      defaults: { name: 'Hook' },
      inputs: [],
      outputs: ['main'],
      properties: [],
      webhooks,
    },
    ...more,
  };
}

const plain: WebhookDescription = { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'events' };

async function listFor(webhook: Partial<WebhookDescription>, node: Partial<WorkflowNode> = {}, more: Partial<NodeType> = {}) {
  const type = typeWith([{ ...plain, ...webhook }], more);
  const complete: WorkflowNode = { id: 'n', name: 'N', type: 'acme.hook', position: [0, 0], parameters: {}, ...node };
  const ports = { nodeTypes: { find: () => type }, sandbox: new TestSandbox(), now: () => 0 };
  const request = {
    workflow: { id: 'w', projectId: 'p' },
    graph: { name: 'W', nodes: [complete], connections: {} },
    timezone: 'UTC',
    vars: {},
    env: {},
  };
  return listTriggers(ports, request, new AbortController().signal);
}

describe('a described webhook', () => {
  test('is a trigger with its name, and its request starts the execution directly if there is no `webhook`', async () => {
    expect(await listFor({})).toEqual([
      {
        nodeName: 'N',
        spec: {
          kind: 'webhook',
          methods: ['POST'],
          path: 'w/n/events',
          files: { take: 'all' },
          response: { mode: 'onReceived', status: 200, headers: {}, data: 'firstEntryJson' },
          described: { name: 'default', handled: false },
        },
      },
    ]);
    expect(await listFor({}, {}, { webhook: () => ({}) })).toMatchObject([{ spec: { described: { handled: true } } }]);
  });

  test.each<[Partial<WebhookDescription>, Partial<WorkflowNode>, string]>([
    [{}, { webhookId: 'id-1' }, 'id-1/events'],
    [{ path: '' }, { webhookId: 'id-1' }, 'id-1'],
    [{ path: '/a/:b/' }, {}, 'w/n/a/:b'],
    [{ isFullPath: true }, {}, 'events'],
    [{}, { id: 'a b' }, 'w/YSBi/events'],
  ])('%j of a node with %j has the path %s', async (webhook, node, path) => {
    expect(await listFor(webhook, node)).toMatchObject([{ spec: { path } }]);
  });

  test.each<Partial<WebhookDescription>>([
    { path: 'a b' },
    { path: '', isFullPath: true },
    { path: ':a', isFullPath: true },
    { path: ':a/:a' },
    { httpMethod: 'BREW' },
    { responseMode: 'never' },
  ])('%j prevents the activation', async (webhook) => {
    await expect(listFor(webhook)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('is omitted if its method resolves to an empty string or the node is disabled', async () => {
    expect(await listFor({ httpMethod: '' })).toEqual([]);
    expect(await listFor({}, { disabled: true })).toEqual([]);
  });
});
