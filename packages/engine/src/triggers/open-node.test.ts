import { expect, test } from '@jest/globals';
import type { EnginePorts } from '../ports.ts';
import { graphOf, testEngine } from '../testing/run-graph.ts';
import { openNode } from './open-node.ts';

test('the graph is prepared once if several of its nodes are opened', async () => {
  const engine = testEngine();
  const names: string[] = [];
  const find: EnginePorts['nodeTypes']['find'] = (name) => {
    names.push(name);
    return engine.nodeTypes.find(name);
  };
  const ports = { ...engine, nodeTypes: { find } };
  const graph = graphOf(['A -> B', 'B -> C'], {}, { pinData: { A: [{ json: { pinned: true } }] } });
  const unused = () => Promise.reject(new Error('not used by this test'));
  for (const node of graph.nodes) {
    const opened = await openNode(ports, {
      workflow: { id: 'w1', projectId: 'p1', active: true },
      graph,
      node,
      timezone: 'UTC',
      vars: {},
      env: {},
      credentials: { open: unused, authentication: unused, hide: () => undefined },
      signal: new AbortController().signal,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    expect(opened.context.node.name).toBe(node.name);
  }
  expect(names).toHaveLength(graph.nodes.length);
});
