import { expect, test } from '@jest/globals';
import type { WorkflowNode } from '@sluice/domain';
import { type ParameterProblem, unsupportedUsesOf } from '@sluice/node-sdk';
import { SupportCounter } from './support-report.ts';

const versions = new Map([['n8n-nodes-base.set', [1, 2, 3]]]);
const sqlUse = { parameter: 'mode', values: ['sql'], what: 'merging by SQL', hint: 'Use a Code node' };
const knownTypes = {
  nodeVersions: (type: string) => versions.get(type),
  unsupportedUses: ({ parameters }: WorkflowNode) => unsupportedUsesOf([sqlUse], parameters),
  parameterProblems: ({ parameters }: WorkflowNode): ParameterProblem[] =>
    parameters['mode'] === 'odd'
      ? [{ kind: 'invalid', path: 'rows.0.mode', message: 'the parameter "rows.0.mode" is odd' }]
      : [],
  subNodeProblems: () => [],
  hasCredentialType: (name: string) => name === 'postgres',
};

function nodeOf(type: string, rest: Partial<WorkflowNode> = {}): WorkflowNode {
  return { name: type, type: `n8n-nodes-base.${type}`, position: [0, 0], parameters: {}, ...rest };
}

test('missing types, versions, and credential types are sorted by frequency; sticky notes and nodes without a version are not missing', () => {
  const counter = new SupportCounter(knownTypes);
  counter.fileRead(4);
  counter.fileRead();
  counter.importable([nodeOf('set', { typeVersion: 3 }), nodeOf('set'), nodeOf('stickyNote')]);
  counter.importable([nodeOf('gone'), nodeOf('gone'), nodeOf('set', { typeVersion: 9 })]);
  counter.importable([nodeOf('gone'), nodeOf('set', { credentials: { postgres: {}, secretApi: {} } })]);
  expect(counter.report()).toEqual({
    files: { read: 2, parsed: 1 },
    workflows: 4,
    importable: 3,
    supported: 1,
    partlySupported: 0,
    missingNodeTypes: [
      { name: 'n8n-nodes-base.gone', workflows: 2, nodes: 3 },
      { name: 'n8n-nodes-base.set 9', workflows: 1, nodes: 1 },
    ],
    unsupportedParameters: [],
    invalidParameters: [],
    missingCredentialTypes: [{ name: 'secretApi', workflows: 1, nodes: 1 }],
  });
});

test('a workflow with unsupported parameters is partly supported; the warning names the node and the parameter', () => {
  const counter = new SupportCounter(knownTypes);
  counter.fileRead(2);
  expect(counter.importable([nodeOf('set', { name: 'Join', parameters: { mode: 'sql' } }), nodeOf('set')])).toEqual([
    'node "Join", parameter "mode": merging by SQL is not supported yet. Use a Code node',
  ]);
  expect(counter.importable([nodeOf('set', { parameters: { mode: '={{ "sql" }}' } })])).toEqual([]);
  expect(counter.report()).toMatchObject({
    importable: 2,
    supported: 1,
    partlySupported: 1,
    unsupportedParameters: [{ name: 'n8n-nodes-base.set mode', workflows: 1, nodes: 1 }],
  });
});

test('a workflow with invalid parameters is partly supported; the warning names the node and the parameter', () => {
  const counter = new SupportCounter(knownTypes);
  counter.fileRead(1);
  const nodes = [nodeOf('set', { name: 'Odd', parameters: { mode: 'odd' } })];
  expect(counter.importable(nodes)).toEqual(['node "Odd": the parameter "rows.0.mode" is odd']);
  expect(counter.report()).toMatchObject({
    supported: 0,
    partlySupported: 1,
    invalidParameters: [{ name: 'n8n-nodes-base.set rows.mode', workflows: 1, nodes: 1 }],
  });
});

test('warnings about wrong and missing sub-node connections name the node', () => {
  const subNodeProblems = () => [{ code: 'MISSING_SUB_NODE' as const, node: 'Agent', message: 'no model is connected' }];
  expect(new SupportCounter({ ...knownTypes, subNodeProblems }).importable([nodeOf('set')])).toEqual([
    'node "Agent": no model is connected',
  ]);
});
