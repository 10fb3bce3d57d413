import { describe, expect, test } from '@jest/globals';
import type { Connections, WorkflowNode } from '@sluice/domain';
import { checkGraph } from './check-graph.ts';

const limits = { maxNodes: 3 };

function node(name: string): WorkflowNode {
  return { name, type: 'core.noOp', position: [0, 0], parameters: {} };
}

function to(name: string): Connections[string] {
  return { main: [null, [{ node: name, type: 'main', index: 0 }]] };
}

describe('checkGraph', () => {
  test('accepts loops', () => {
    expect(checkGraph({ nodes: [node('a'), node('b')], connections: { a: to('b'), b: to('a') } }, limits)).toEqual([]);
  });

  test('reports the second of two nodes with the same name', () => {
    expect(checkGraph({ nodes: [node('a'), node('b'), node('a')], connections: {} }, limits)).toEqual([
      { path: '/nodes/2/name', message: 'another node has this name' },
    ]);
  });

  test('reports connections from and to nodes that do not exist', () => {
    const issues = checkGraph({ nodes: [node('a')], connections: { a: to('gone'), 'x/~': to('a') } }, limits);
    expect(issues.map((issue) => issue.path)).toEqual(['/connections/a/main/1/0/node', '/connections/x~1~0']);
  });

  test('does not treat inherited property names as nodes', () => {
    expect(checkGraph({ nodes: [node('a')], connections: { a: to('constructor') } }, limits)).toHaveLength(1);
  });

  test.each([
    ['connections', { main: [Array(40).fill({ node: 'a', type: 'main', index: 0 })] }],
    ['outputs', { main: Array(60).fill([]) }],
    ['types', Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`t${i}`, []]))],
  ])('limits the number of %s', (_, outputs) => {
    const connections = { a: { ...outputs, ai_tool: [Array(40).fill({ node: 'a', type: 'ai_tool', index: 0 })] } };
    expect(checkGraph({ nodes: [node('a')], connections }, limits)).toEqual([
      { path: '/connections', message: 'must not contain more than 60 connections and outputs' },
    ]);
  });

  test('limits the number of nodes that have connections, and of connection types per node', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, []]));
    const named = Object.fromEntries(Object.keys(many(4)).map((name) => [name, {}]));
    expect(checkGraph({ nodes: [node('a')], connections: named }, limits)).toEqual([
      { path: '/connections', message: 'must not name more than 3 nodes' },
    ]);
    expect(checkGraph({ nodes: [node('a')], connections: { a: many(1_001) } }, { maxNodes: 5_000 })).toHaveLength(1);
  });

  test('limits the number of nodes and of issues', () => {
    expect(checkGraph({ nodes: ['a', 'b', 'c', 'd'].map(node), connections: {} }, limits)).toHaveLength(1);
    expect(checkGraph({ nodes: Array(100).fill(node('a')), connections: {} }, { maxNodes: 100 })).toHaveLength(20);
  });
});
