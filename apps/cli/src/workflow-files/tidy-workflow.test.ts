import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { tidyWorkflow } from './tidy-workflow.ts';
import { workflowDocuments } from './workflow-documents.ts';

const set = { name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [10, 20], parameters: { a: 1 } };
const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', position: [0, 0], parameters: {} };

function tidy(parts: object) {
  const document = { name: 'W', nodes: [start, set], connections: {}, ...parts } as unknown as JsonObject;
  return tidyWorkflow(document, { fallbackName: 'from-the-file', maxNodes: 10 });
}

describe('a workflow in a file', () => {
  test('is unchanged and has no warnings if it is valid', () => {
    const connections = { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }], null] } };
    const parts = { id: 'abc', connections, settings: { executionOrder: 'v1', mine: 1 }, meta: { m: 1 } };
    const { workflow, warnings } = tidy(parts);
    expect(warnings).toEqual([]);
    expect(JSON.parse(JSON.stringify(workflow))).toEqual({ name: 'W', nodes: [start, set], ...parts });
  });

  test('loses dangling connections, each with a warning', () => {
    const { workflow, warnings } = tidy({
      connections: {
        Start: { main: [[{ node: 'Gone', type: 'main', index: 0 }, { node: 'Set' }]] },
        Nowhere: { main: [[{ node: 'Set', type: 'main', index: 0 }]] },
      },
    });
    expect(workflow.connections).toEqual({ Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } });
    expect(warnings).toEqual([
      'the connection from "Start" to "Gone", which is not a node: dropped',
      'the connections of "Nowhere", which is not a node: dropped',
    ]);
  });

  test('keeps null outputs, and resolves connections by ID', () => {
    const { workflow, warnings } = tidy({
      nodes: [
        { ...start, id: 'n1' },
        { ...set, id: 'n2' },
      ],
      connections: { n1: { main: [null, [{ node: 'n2', type: 'main', index: '1' }]] } },
    });
    expect(workflow.connections).toEqual({ Start: { main: [null, [{ node: 'Set', type: 'main', index: 1 }]] } });
    expect(warnings).toEqual([]);
  });

  test('gets names for nodes without a name or with a duplicate name', () => {
    const { workflow, warnings } = tidy({ nodes: [set, set, { type: 'n8n-nodes-base.noOp' }, { name: 'No type' }] });
    expect(workflow.nodes.map(({ name }) => name)).toEqual(['Set', 'Set 1', 'noOp']);
    expect(workflow.nodes[2]).toMatchObject({ position: [0, 0], parameters: {} });
    expect(warnings).toHaveLength(3);
  });

  test('gets old formats of credentials, versions, IDs, static data, and pinned items converted', () => {
    const { workflow, warnings } = tidy({
      id: 42,
      nodes: [{ ...set, id: 7, typeVersion: '3.4', credentials: { oneApi: 'My key', twoApi: { id: 5, name: 'Two' } } }],
      staticData: '{"lastId":1}',
      pinData: { Set: [{ plain: true }, { json: { wrapped: true } }] },
    });
    expect(workflow).toMatchObject({ id: '42', staticData: { lastId: 1 } });
    expect(workflow.nodes[0]).toMatchObject({
      id: '7',
      typeVersion: 3.4,
      credentials: { oneApi: { id: null, name: 'My key' }, twoApi: { id: '5', name: 'Two' } },
    });
    expect(workflow.pinData).toEqual({ Set: [{ json: { plain: true } }, { json: { wrapped: true } }] });
    expect(warnings).toEqual([]);
  });

  test('loses properties that the API would reject, each with a warning', () => {
    const { workflow, warnings } = tidy({
      nodes: [{ ...set, onError: 'explode', disabled: 'yes' }],
      settings: { executionOrder: 'v9', timezone: 'Europe/Paris' },
    });
    expect(workflow.nodes[0]).not.toHaveProperty('onError');
    expect(workflow.settings).toEqual({ timezone: 'Europe/Paris' });
    expect(warnings).toEqual([
      expect.stringMatching(/^(onError|disabled) of "Set" .*: dropped$/),
      expect.stringMatching(/^(onError|disabled) of "Set" .*: dropped$/),
      expect.stringMatching(/^\/settings\/executionOrder .*: dropped$/),
    ]);
  });

  test('keeps its concurrency limit; an invalid one is rejected, as by the API', () => {
    const settings = { concurrency: { limit: 2, whenFull: 'skip' } };
    expect(tidy({ settings })).toMatchObject({ workflow: { settings }, warnings: [] });
    expect(() => tidy({ settings: { concurrency: { limit: 0 } } })).toThrow('/settings/concurrency/limit must be at least 1');
  });

  test('loses invalid connections and data pinned to missing nodes, each with a warning', () => {
    const { workflow, warnings } = tidy({
      connections: { Start: { main: [['Set', { node: 'Set', type: 'main', index: 0 }]], other: 'x' }, Set: 'x' },
      pinData: { Set: [{ a: 1 }], Gone: [{ b: 2 }] },
    });
    expect(workflow.connections['Start']?.['main']).toEqual([[{ node: 'Set', type: 'main', index: 0 }]]);
    expect(workflow.pinData).toEqual({ Set: [{ json: { a: 1 } }] });
    expect(warnings).toEqual([
      'a connection from "Start" is not an object, but "\\"Set\\"": dropped',
      'the outputs "other" of "Start" are not a list: dropped',
      'the connections of "Set" are not an object: dropped',
      'the pinned data of "Gone", which is not a node: dropped',
    ]);
  });

  test('is rejected because of its invalid name, not because the name is missing', () => {
    const refusalOf = (parts: object) => {
      try {
        return tidy(parts).workflow.name;
      } catch (error) {
        return String(error);
      }
    };
    expect(refusalOf({ nodes: [{ ...set, name: 'a\u0000b' }] })).not.toContain('is required');
    expect(refusalOf({ name: 'a\u0000b' })).not.toContain('is required');
  });

  test('is named after its file if it has no name; a long name is cut between characters', () => {
    expect(tidy({ name: undefined }).workflow.name).toBe('from-the-file');
    const { workflow, warnings } = tidy({ name: '🙂'.repeat(200) });
    expect([...workflow.name]).toHaveLength(128);
    expect(warnings).toHaveLength(1);
  });

  test('accepts names such as __proto__ as data', () => {
    const text = `{"name":"W","nodes":[{"name":"__proto__","type":"t","position":[0,0],"parameters":{"__proto__":{"x":1}}}],
      "connections":{"__proto__":{"main":[[{"node":"__proto__","type":"main","index":0}]]}}}`;
    const [document = {}] = workflowDocuments(text);
    const { workflow, warnings } = tidyWorkflow(document, { fallbackName: 'x', maxNodes: 10 });
    expect(warnings).toEqual([]);
    expect(JSON.parse(JSON.stringify(workflow))).toEqual(JSON.parse(text));
  });

  test('gets its tags from objects and strings, without duplicates', () => {
    expect(tidy({ tags: [{ id: '1', name: ' a ' }, 'b', 'a', ' ', { id: '2' }, 3] }).tagNames).toEqual(['a', 'b']);
  });

  test('is rejected if it has no nodes or too many nodes', () => {
    expect(() => tidy({ nodes: 'none' })).toThrow('it has no list of nodes');
    expect(() => tidy({ nodes: Array.from({ length: 11 }, (_, i) => ({ ...set, name: `N${i}` })) })).toThrow(
      /more than 10 nodes/,
    );
  });
});

describe('the workflows in a file', () => {
  const one = { nodes: [], connections: {} };

  test('are found alone, in a list, and inside the wrappers of templates and dumps', () => {
    for (const wrapped of [one, { workflow: one }, { data: [one] }, { data: { workflow: one } }, { workflows: [one] }]) {
      expect(workflowDocuments(`\uFEFF${JSON.stringify(wrapped)}`)).toEqual([one]);
    }
    expect(workflowDocuments(JSON.stringify([one, one]))).toHaveLength(2);
  });

  test('are rejected with a reason', () => {
    expect(() => workflowDocuments('{"a":')).toThrow('it is not valid JSON');
    expect(() => workflowDocuments('{"a":1}')).toThrow('it contains no workflow');
  });
});
