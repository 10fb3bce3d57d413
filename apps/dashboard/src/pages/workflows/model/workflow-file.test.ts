import { describe, expect, test } from '@jest/globals';
import type { Draft } from './graph.ts';
import { insertFile, parseWorkflowFile, toFileText } from './workflow-file.ts';

const nodes = [
  { id: '1', name: 'Start', type: 'base.manual-trigger', position: [10, 20], parameters: {} },
  { name: 'Hook', type: 'base.webhook', webhookId: 'w-1' },
];
const connections = { Start: { main: [[{ node: 'Hook', type: 'main', index: 0 }]] } };
const workflow = { id: 'abc', name: ' Orders ', active: true, tags: ['t'], nodes, connections };

describe('a workflow file', () => {
  test.each([
    ['alone', workflow],
    ['in a list', [workflow]],
    ['in a template', { workflow }],
    ['in a response', { data: { workflow } }],
  ])('is read %s, without properties that belong to its service', (_place, content) => {
    const file = parseWorkflowFile(JSON.stringify(content));
    expect(file).toMatchObject({ name: 'Orders', connections, settings: {}, pinData: {} });
    expect(file.nodes[1]).toEqual({ ...nodes[1], id: expect.any(String), position: [240, 0], parameters: {} });
    expect(Object.keys(file)).not.toContain('id');
  });

  test.each([
    ['{', /not JSON/],
    ['[]', /no workflow/],
    ['{"a":1}', /no workflow/],
    [JSON.stringify([workflow, workflow]), /2 workflows/],
    ['{"nodes":[{"name":"A"}]}', /Node 1/],
  ])('%s is refused with the reason', (text, message) => {
    expect(() => parseWorkflowFile(text)).toThrow(message);
  });
});

test('pasted nodes get unused names and new IDs, and keep their connections', () => {
  const file = parseWorkflowFile(JSON.stringify(workflow));
  const empty: Draft = { name: 'D', nodes: [], connections: {}, settings: {}, pinData: {} };
  const once = insertFile(empty, file);
  const { draft, names } = insertFile(once.draft, parseWorkflowFile(toFileText(once.draft, once.names)));
  expect(names).toEqual(['Start 2', 'Hook 2']);
  expect(draft.connections['Start 2']?.['main']?.[0]?.[0]?.node).toBe('Hook 2');
  expect(new Set(draft.nodes.map(({ id }) => id)).size).toBe(4);
  const hooks = draft.nodes.flatMap((node) => ('webhookId' in node ? [node.webhookId] : []));
  expect(new Set([...hooks, 'w-1']).size).toBe(3);
  expect(draft.nodes.map(({ position }) => position)).toEqual([
    [10, 20],
    [240, 0],
    [10, 200],
    [240, 180],
  ]);
});
