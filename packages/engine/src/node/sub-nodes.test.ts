import { expect, jest, test } from '@jest/globals';
import type { Connections } from '@sluice/domain';
import type { ExecuteContext, NodeType } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { graphOf, type NodeSpec, runGraph, testEngine } from '../testing/run-graph.ts';
import { asItems, testType } from '../testing/test-nodes.ts';

/** Supplies a string that consists of its parameter and the strings of its own sub-nodes. */
const lender = (name: string): NodeType => ({
  ...testType(name, () => []),
  async supply(context: ExecuteContext) {
    const inner = await Promise.all((await context.subNodes('ai_embedding')).map((node) => node.supply()));
    return [context.parameter('text', 0, ''), context.node.name, ...inner].join('/');
  },
});

const asker = testType('asker', async (context) => {
  const [models, tools] = [await context.subNodes('ai_languageModel'), await context.subNodes('ai_tool')];
  const supplied = await Promise.all([...models, ...tools].map((node) => node.supply() as Promise<string>));
  const described = [...models, ...tools].map(({ name, type, parameter }) => `${name} ${type} ${parameter('text', 0, '')}`);
  return [asItems({ supplied, described })];
});

function engineWithSubNodes() {
  const engine = testEngine();
  for (const type of [lender('lender'), asker]) engine.types.set(`base.${type.description.name}`, type);
  return engine;
}

const attach = (from: string, type: string, to: string): Connections => ({
  [from]: { [type]: [[{ node: to, type, index: 0 }]] },
});
const lenderNode = (text: string, rest: object = {}): NodeSpec => ({ type: 'lender', parameters: { text }, ...rest });
const main = graphOf(['T -> Agent']).connections;

const runAgent = (nodes: Record<string, NodeSpec>, attached: Connections, engine = engineWithSubNodes()) => {
  const connections = { ...main, ...attached };
  const pinData = { T: asItems({ n: 7 }) };
  return runGraph(
    graphOf(['T -> Agent'], { T: { type: 'emit' }, Agent: { type: 'asker' }, ...nodes }, { connections, pinData }),
    {},
    engine,
  );
};

test('a node gets its sub-nodes by connection type, with parameters that are resolved for its own items', async () => {
  const nodes = { Model: lenderNode('={{ $json.n }}'), Tool: lenderNode('t'), Off: lenderNode('off', { disabled: true }) };
  const attached = {
    ...attach('Tool', 'ai_tool', 'Agent'),
    ...attach('Off', 'ai_tool', 'Agent'),
    ...attach('Model', 'ai_languageModel', 'Agent'),
  };
  const { json, order } = await runAgent(nodes, attached);
  expect(json('Agent')).toEqual([
    { supplied: ['7/Model', 't/Tool'], described: ['Model base.lender 7', 'Tool base.lender t'] },
  ]);
  expect(order).toEqual(['T', 'Agent']);
});

test("a sub-node's parameters are resolved once, regardless of its node's number of items", async () => {
  const engine = engineWithSubNodes();
  const resolving = jest.spyOn(engine.sandbox, 'resolve');
  const each = testType('each', async (context) => [
    await Promise.all(
      context.items().map(async (_, item) => {
        const nodes = await context.subNodes('ai_tool');
        return { json: { supplied: (await Promise.all(nodes.map((node) => node.supply(item)))) as string[] } };
      }),
    ),
  ]);
  engine.types.set('base.each', each);
  const pinData = { T: asItems({ n: 1 }, { n: 2 }, { n: 3 }) };
  const nodes = { T: { type: 'emit' }, Agent: { type: 'each' }, Tool: lenderNode('t'), Inner: lenderNode('i') };
  const attached = { ...attach('Tool', 'ai_tool', 'Agent'), ...attach('Inner', 'ai_embedding', 'Tool') };
  const connections = { ...main, ...attached };
  const { json } = await runGraph(graphOf(['T -> Agent'], nodes, { connections, pinData }), {}, engine);
  expect(json('Agent')).toEqual(Array(3).fill({ supplied: ['t/Tool/i/Inner'] }));
  expect(resolving).toHaveBeenCalledTimes(3);
});

test('sub-nodes are compiled without blocking the event loop, and one that fails ends its node', async () => {
  const engine = engineWithSubNodes();
  const compile = engine.sandbox.compile.bind(engine.sandbox);
  jest.spyOn(engine.sandbox, 'compile').mockImplementation((parameters) => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    return compile(parameters);
  });
  const names = Array.from({ length: 100 }, (_, at) => `Tool ${at}`);
  const nodes = Object.fromEntries(names.map((name) => [name, lenderNode('t')]));
  nodes['Tool 0'] = { type: 'missing' };
  const attached = Object.assign({}, ...names.map((name) => attach(name, 'ai_tool', 'Agent')));
  let status: string | undefined;
  const turnMs = await longestBusy(async () => {
    ({ status } = (await runAgent(nodes, attached, engine)).outcome);
  });
  expect(status).toBe('error');
  expect(turnMs).toBeLessThan(250);
});

test("a sub-node's expressions see other nodes from its node's position", async () => {
  const engine = engineWithSubNodes();
  const edges = ['T -> R', 'R:0 -> E', 'E -> Agent', 'R:1 -> X', 'X -> Agent'];
  const nodes: Record<string, NodeSpec> = {
    R: { type: 'route', parameters: { value: '={{ $json.id }}' } },
    Agent: { type: 'asker' },
    Tool: lenderNode('={{ $("E").item.json.n }}'),
    Inner: lenderNode('={{ $("E").item.json.n }}'),
  };
  const attached = { ...attach('Tool', 'ai_tool', 'Agent'), ...attach('Inner', 'ai_embedding', 'Tool') };
  const connections = { ...graphOf(edges).connections, ...attached };
  const pinData = { T: asItems({ id: 1, n: 'yes' }, { id: 0, n: 'no' }) };
  const { json } = await runGraph(graphOf(edges, nodes, { connections, pinData }), {}, engine);
  expect([0, 1].map((run) => json('Agent', run)[0]?.['supplied'])).toEqual([['yes/Tool/yes/Inner'], ['/Tool//Inner']]);
});

test.each([0, 1])("output %d of an earlier node is the output that leads to the sub-node's node", async (output) => {
  const engine = engineWithSubNodes();
  const resolving = jest.spyOn(engine.sandbox, 'resolve');
  const edges = ['T -> R', `R:${output} -> X`, 'X -> Agent'];
  const nodes: Record<string, NodeSpec> = {
    R: { type: 'route', parameters: { value: '={{ $json.id }}' } },
    Agent: { type: 'asker' },
    Tool: lenderNode('t'),
  };
  const connections = { ...graphOf(edges).connections, ...attach('Tool', 'ai_tool', 'Agent') };
  const pinData = { T: asItems({ id: 1 }, { id: 0 }) };
  await runGraph(graphOf(edges, nodes, { connections, pinData }), {}, engine);
  const scopes = resolving.mock.calls.map(([, scope]) => scope).filter(({ node }) => node.name === 'Tool');
  expect(scopes.map((scope) => scope.outputOf('R'))).toEqual([output]);
});

test('a sub-node can have its own sub-nodes', async () => {
  const nodes = { Tool: lenderNode('t'), Inner: lenderNode('i') };
  const { json } = await runAgent(nodes, { ...attach('Tool', 'ai_tool', 'Agent'), ...attach('Inner', 'ai_embedding', 'Tool') });
  expect(json('Agent')[0]?.['supplied']).toEqual(['t/Tool/i/Inner']);
});

test('sub-nodes do not start on their own in a workflow without a trigger', async () => {
  const graph = graphOf([], { Agent: { type: 'asker' }, Model: lenderNode('m') });
  const { order } = await runGraph(
    { ...graph, connections: attach('Model', 'ai_languageModel', 'Agent') },
    {},
    engineWithSubNodes(),
  );
  expect(order).toEqual(['Agent']);
});

test.each<[string, Record<string, NodeSpec>, Connections, object]>([
  [
    'whose type supplies nothing',
    { Tool: { type: 'pass' } },
    attach('Tool', 'ai_tool', 'Agent'),
    { code: 'SUB_NODE_UNUSABLE', node: 'Agent' },
  ],
  ['of an unknown type', { Tool: { type: 'nobody' } }, attach('Tool', 'ai_tool', 'Agent'), { code: 'UNKNOWN_NODE_TYPE' }],
  [
    'that is indirectly attached to itself',
    { Tool: lenderNode('t'), Inner: lenderNode('i') },
    {
      Tool: { ...attach('Tool', 'ai_tool', 'Agent')['Tool'], ...attach('Tool', 'ai_embedding', 'Inner')['Tool'] },
      ...attach('Inner', 'ai_embedding', 'Tool'),
    },
    { code: 'SUB_NODE_UNUSABLE', message: 'sub-node "Tool" is attached to itself' },
  ],
])('a sub-node %s ends the run with an error', async (_, nodes, attached, error) => {
  expect((await runAgent(nodes, attached)).outcome).toMatchObject({ status: 'error', error });
});

test('hints of a sub-node belong to the run of the node that uses it', async () => {
  const engine = engineWithSubNodes();
  const noting: NodeType = {
    ...testType('noting', () => []),
    supply(context: ExecuteContext) {
      context.addHints?.({ message: `from ${context.node.name}` });
      context.addRunMetadata?.({ [context.node.name]: true });
      return 'x';
    },
  };
  engine.types.set('base.noting', noting);
  const { runData } = await runAgent({ Tool: { type: 'noting' } }, attach('Tool', 'ai_tool', 'Agent'), engine);
  expect(runData['Agent']?.[0]).toMatchObject({ hints: [{ message: 'from Tool' }], metadata: { Tool: true } });
});
