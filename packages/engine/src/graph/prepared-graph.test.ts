import { expect, test } from '@jest/globals';
import type { EnginePorts } from '../ports.ts';
import { graphOf, testEngine } from '../testing/run-graph.ts';
import { prepareGraph } from './prepared-graph.ts';

test('a graph is prepared once, and again after a failure', async () => {
  const engine = testEngine();
  let isFailing = true;
  const find: EnginePorts['nodeTypes']['find'] = (name) => {
    if (isFailing) throw new Error('not loaded yet');
    return engine.nodeTypes.find(name);
  };
  const ports = { ...engine, nodeTypes: { ...engine.nodeTypes, find } };
  const graph = graphOf(['A -> B']);
  await expect(prepareGraph(graph, ports)).rejects.toThrow('not loaded yet');

  isFailing = false;
  const prepared = await prepareGraph(graph, ports);
  expect([...prepared.nodes.keys()]).toEqual(['A', 'B']);
  expect(await prepareGraph(graph, ports)).toBe(prepared);
});
