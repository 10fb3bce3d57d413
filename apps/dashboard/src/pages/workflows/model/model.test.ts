import { describe, expect, test } from '@jest/globals';
import { edgesOf } from '../../../data/edges.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { diffGraphs } from './diff.ts';
import { connect, type Draft, disconnect, duplicateNodes, freePlace, removeNodes, toConnections } from './graph.ts';
import { change, redo, startHistory, undo } from './history.ts';
import { parseItems } from './items.ts';
import { openEnd } from './new-node.ts';
import { portsOf, usedPorts } from './ports.ts';
import { previewedParameters } from './previewed-parameters.ts';
import { nameProblem, renameNode } from './rename.ts';

const node = (name: string, parameters: Record<string, unknown> = {}, x = 0) => ({
  name,
  type: 'base.no-op',
  position: [x, 0],
  parameters,
});
const edge = (source: string, target: string, output = 0, input = 0) => ({ source, type: 'main', output, target, input });
const sub = (source: string, type: string) => ({ ...edge(source, 'Agent'), type });

function draftOf(names: readonly string[], edges: readonly ReturnType<typeof edge>[]): Draft {
  const draft: Draft = {
    name: 'Test',
    nodes: names.map((name) => node(name)),
    connections: {},
    settings: {},
    pinData: {},
  };
  return edges.reduce(connect, draft);
}

describe('edits of a graph', () => {
  test('a new step follows the last node without a successor', () => {
    const draft = draftOf(['Start', 'A', 'B'], [edge('Start', 'A')]);
    expect(openEnd(draft, new Map())).toEqual({ node: 'B', output: 0 });
    expect(openEnd(connect(draft, edge('B', 'A')), new Map())).toEqual({ node: 'A', output: 0 });
    expect(openEnd(draftOf([], []), new Map())).toBeUndefined();
  });

  test('nodes may have the names of members that all objects inherit', () => {
    const draft = draftOf(['constructor', '__proto__'], [edge('constructor', '__proto__'), edge('__proto__', 'constructor')]);
    expect(JSON.parse(JSON.stringify(draft)).connections).toEqual(
      JSON.parse(`{
        "constructor": { "main": [[{ "node": "__proto__", "type": "main", "index": 0 }]] },
        "__proto__": { "main": [[{ "node": "constructor", "type": "main", "index": 0 }]] }
      }`),
    );
    const typed = toConnections([{ ...edge('a', 'b'), type: '__proto__' }]);
    expect(JSON.stringify(typed)).toContain('"__proto__"');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect([Object.hasOwn(Object, 'main'), Object.hasOwn(Object.prototype, 'main')]).toEqual([false, false]);
  });

  test('a duplicate gets its own webhook URL', () => {
    const hook = { ...node('Hook'), webhookId: 'a' };
    const { draft } = duplicateNodes({ ...draftOf([], []), nodes: [hook, node('Plain')] }, ['Hook', 'Plain']);
    const addresses = draft.nodes.map((one) => ('webhookId' in one ? one.webhookId : undefined));
    expect(addresses).toEqual(['a', undefined, expect.stringMatching(/^[0-9a-f]{32}$/), undefined]);
  });

  test('a duplicate of a node whose path is its webhook ID gets its own path', () => {
    const hook = { ...node('Hook'), webhookId: 'a', parameters: { path: 'a', httpMethod: 'POST' } };
    const { draft } = duplicateNodes({ ...draftOf([], []), nodes: [hook] }, ['Hook']);
    const copy = draft.nodes[1] as typeof hook;
    expect(copy.parameters).toEqual({ path: copy.webhookId, httpMethod: 'POST' });
    expect(copy.webhookId).not.toBe('a');
  });

  test('connect and disconnect keep the numbers of the other outputs', () => {
    const draft = draftOf(['If', 'A', 'B'], [edge('If', 'A', 0), edge('If', 'B', 1)]);
    expect(draft.connections['If']?.['main']).toHaveLength(2);
    const cut = disconnect(draft, [edge('If', 'A', 0)]);
    expect(cut.connections['If']?.['main']?.[0]).toEqual([]);
    expect(edgesOf(cut.connections)).toEqual([edge('If', 'B', 1)]);
  });

  test('a connection that exists is not added again', () => {
    const draft = draftOf(['A', 'B'], [edge('A', 'B')]);
    expect(connect(draft, edge('A', 'B'))).toBe(draft);
  });

  test('removing a node removes its connections and pinned data', () => {
    const draft = { ...draftOf(['A', 'B', 'C'], [edge('A', 'B'), edge('B', 'C'), edge('A', 'C')]), pinData: { B: [], C: [] } };
    const rest = removeNodes(draft, ['B']);
    expect(edgesOf(rest.connections)).toEqual([edge('A', 'C')]);
    expect(rest.pinData).toEqual({ C: [] });
  });

  test('copies are connected like their originals and get unused names', () => {
    const { draft, names } = duplicateNodes(draftOf(['A', 'B', 'C'], [edge('A', 'B'), edge('B', 'C')]), ['A', 'B']);
    expect(names).toEqual(['A 2', 'B 2']);
    expect(edgesOf(draft.connections)).toContainEqual(edge('A 2', 'B 2'));
    expect(edgesOf(draft.connections)).toHaveLength(3);
  });

  test('a position is free if no node is near', () => {
    expect(freePlace([node('A')], { x: 20, y: 10 })).toEqual({ x: 20, y: 110 });
    expect(freePlace([node('A')], { x: 400, y: 0 })).toEqual({ x: 400, y: 0 });
  });
});

describe('rename', () => {
  test('updates connections, pinned data, expressions, and code', () => {
    const before = { ...draftOf(['Old', 'B'], [edge('Old', 'B'), edge('B', 'Old')]), pinData: { Old: [] } };
    const parameters = {
      value: `={{ $('Old').item.json.a + $node["Old"].json.b }}`,
      list: [{ code: 'return $items("Old")' }],
      text: 'Old stays',
      other: `={{ $('Older').item }}`,
    };
    const draft = { ...before, nodes: [node('Old'), node('B', parameters)] };
    const after = renameNode(draft, 'Old', `It's`);
    expect(edgesOf(after.connections)).toEqual([edge(`It's`, 'B'), edge('B', `It's`)]);
    expect(after.pinData).toEqual({ [`It's`]: [] });
    expect(after.nodes[1]?.parameters).toEqual({
      value: `={{ $('It\\'s').item.json.a + $node["It's"].json.b }}`,
      list: [{ code: `return $items("It's")` }],
      text: 'Old stays',
      other: `={{ $('Older').item }}`,
    });
  });

  test('a name that another node has is refused', () => {
    const draft = draftOf(['A', 'B'], []);
    expect(nameProblem(draft, 'A', 'B')).toContain('B');
    expect(nameProblem(draft, 'A', ' ')).toBeDefined();
    expect(nameProblem(draft, 'A', 'A')).toBeUndefined();
  });
});

describe('history', () => {
  test('undoes and redoes changes; a new change discards undone changes', () => {
    const history = change(change(startHistory(1), 2, { at: 0 }), 3, { at: 1 });
    const back = undo(history);
    expect(back.present).toBe(2);
    expect(redo(back).present).toBe(3);
    expect(redo(change(back, 9, { at: 2 })).present).toBe(9);
    expect(undo(startHistory(1)).present).toBe(1);
  });

  test('typing in one field is one step, and in another field a separate step', () => {
    const typed = change(change(startHistory('a'), 'ab', { key: 'x', at: 0 }), 'abc', { key: 'x', at: 500 });
    expect(undo(typed).present).toBe('a');
    expect(undo(change(typed, 'z', { key: 'y', at: 600 })).present).toBe('abc');
    expect(undo(change(typed, 'z', { key: 'x', at: 9_000 })).present).toBe('abc');
  });
});

describe('differences of versions', () => {
  test('list what was added, removed, changed, and only moved', () => {
    const before = draftOf(['Same', 'Gone', 'Changed', 'Moved'], [edge('Same', 'Gone')]);
    const nodes = [node('Same'), node('Changed', { url: 'x' }), node('Moved', {}, 100), node('New')];
    const after = connect({ ...before, nodes, connections: {} }, edge('Same', 'New'));
    const diff = diffGraphs(before, after);
    const changes = Object.fromEntries([...diff.nodes].map(([name, { change: kind }]) => [name, kind]));
    expect(changes).toEqual({ Same: 'same', Gone: 'removed', Changed: 'changed', Moved: 'moved', New: 'added' });
    expect(diff.addedEdges.size).toBe(1);
    expect(diff.removedEdges.size).toBe(1);
  });
});

describe('ports', () => {
  const ofType = (type: string, parameters: Record<string, unknown>, typeVersion: number) =>
    portsOf({ ...node('N', parameters), type, typeVersion }, undefined).outputs.map(({ label }) => label);

  test('a switch has an output for each rule', () => {
    const rules = { values: [{ outputKey: 'high' }, {}] };
    expect(ofType('base.switch', { rules, options: { fallbackOutput: 'extra' } }, 3)).toEqual(['high', undefined, 'fallback']);
    expect(ofType('base.switch', { mode: 'expression', numberOutputs: 3 }, 3)).toHaveLength(3);
  });

  test('ports for sub-nodes depend on the type, its parameters, and existing connections', () => {
    const type = {
      type: 'ai.agent',
      inputs: ['main'],
      outputs: ['main'],
      version: 1,
      properties: [{ name: 'parse', type: 'boolean', default: false }],
      subNodes: [
        { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 },
        { type: 'ai_outputParser', displayOptions: { show: { parse: [true] } } },
      ],
    } as unknown as NodeType;
    const graph = [sub('Model', 'ai_languageModel'), sub('Memory', 'ai_memory')];
    expect(portsOf(node('Agent'), type).subs).toEqual([
      { type: 'ai_languageModel', label: 'Model', required: true, hasCapacity: true },
    ]);
    expect(portsOf(node('Agent', { parse: true }), type, usedPorts(graph).get('Agent')).subs).toEqual([
      { type: 'ai_languageModel', label: 'Model', required: false, hasCapacity: false },
      { type: 'ai_outputParser', label: 'Output Parser', required: false, hasCapacity: true },
      { type: 'ai_memory', label: 'Memory', required: false, hasCapacity: false },
    ]);
    const model = portsOf(node('Model'), { ...type, inputs: [], outputs: ['ai_languageModel'] });
    expect(model).toMatchObject({ inputs: [], outputs: [], supplies: ['ai_languageModel'] });
  });

  test('a type with the name of an inherited member has one output', () => {
    for (const type of ['constructor', 'toString', '__proto__']) expect(ofType(type, {}, 1)).toEqual([undefined]);
  });

  test('an error output is the last one', () => {
    const ports = portsOf({ ...node('N'), onError: 'continueErrorOutput' }, undefined);
    expect(ports.outputs.map(({ label }) => label)).toEqual([undefined, 'error']);
  });

  test('ports with connections exist, whatever the type defines', () => {
    expect(portsOf(node('N'), undefined, { inputs: 3, outputs: 2, subs: new Map(), supplies: new Set() })).toEqual({
      inputs: [{}, {}, {}],
      outputs: [{}, {}],
      subs: [],
      supplies: [],
    });
  });
});

describe('items', () => {
  test('are objects, with or without `json`', () => {
    expect(parseItems('{"a":1}')).toEqual([{ json: { a: 1 } }]);
    expect(parseItems('[{"json":{"a":1}}]')).toEqual([{ json: { a: 1 } }]);
    expect(() => parseItems('[1]')).toThrow('JSON objects');
    expect(() => parseItems('[')).toThrow();
    expect(() => parseItems('{"a":1e999}')).toThrow('the number 1e999 is out of range');
  });
});

test.each([
  ['={{ $json.a }}', {}],
  ['={{ $parameter.mode }}', { mode: '={{ 1 }}' }],
  ['={{ $rawParameter["mode"] }}', { mode: '={{ 1 }}' }],
  ['={{ $parameters }}', {}],
])('the preview of %s includes the node parameters that it may read', (previewedExpression, read) => {
  const draft = { ...draftOf(['A'], []), nodes: [node('A', { mode: '={{ 1 }}' })] };
  expect(previewedParameters(draft, 'A', previewedExpression)).toEqual({ ...read, previewedExpression });
});
