import { expect, test } from '@jest/globals';
import { type JsonObject, subNodeProblems, type WorkflowNode } from '@sluice/node-sdk';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { withAiTypes } from './ai-node-types.ts';

const types = withAiTypes(createNodeTypeRegistry(baseNodeTypes));

const node = (name: string, type: string, rest: Partial<WorkflowNode> = {}): WorkflowNode => ({
  name,
  type,
  position: [0, 0],
  parameters: {},
  ...rest,
});
const attach = (from: string, type: string, to = 'Agent') => ({ [from]: { [type]: [[{ node: to, type, index: 0 }]] } });

/** Problems as `code node`. */
const problems = (nodes: readonly WorkflowNode[], connections = {}) =>
  subNodeProblems({ nodes, connections }, types).map(({ code, node: name }) => `${code} ${name}`);

const agent = node('Agent', 'ai.agent');
const model = node('Model', 'ai.lm-chat-open-ai');

test('a node without a required model is reported; a disabled model is ignored', () => {
  expect(problems([agent])).toEqual(['MISSING_SUB_NODE Agent']);
  expect(problems([agent, { ...model, disabled: true }], attach('Model', 'ai_languageModel'))).toEqual([
    'MISSING_SUB_NODE Agent',
  ]);
  expect(problems([agent, model], attach('Model', 'ai_languageModel'))).toEqual([]);
});

test('more sub-nodes than a node uses are reported', () => {
  const memories = ['M1', 'M2'].map((name) => node(name, 'ai.memory-buffer-window'));
  const connections = { ...attach('Model', 'ai_languageModel'), ...attach('M1', 'ai_memory'), ...attach('M2', 'ai_memory') };
  expect(problems([agent, model, ...memories], connections)).toEqual(['TOO_MANY_SUB_NODES Agent']);
});

test('a connection over a type that the node does not use, or its sub-node does not supply, is reported', () => {
  const connections = { ...attach('Model', 'ai_languageModel'), ...attach('Set', 'ai_tool'), ...attach('X', 'ai_document') };
  const nodes = [agent, model, node('Set', 'base.set'), node('X', 'ai.tool-think')];
  expect(problems(nodes, connections)).toEqual(['SUB_NODE_UNUSABLE Set', 'UNEXPECTED_SUB_NODE X']);
});

test.each<[JsonObject, string[]]>([
  [{ autoFix: true }, ['MISSING_SUB_NODE Parser']],
  [{ autoFix: false }, []],
  [{}, []],
])('an input that depends on the parameters %j', (parameters, expected) => {
  expect(problems([node('Parser', 'ai.output-parser-structured', { parameters })])).toEqual(expected);
});

test('unknown types, and types that do not declare their sub-nodes, are not checked', () => {
  const nodes = [node('Other', 'pack.other'), agent, model];
  const connections = { ...attach('Model', 'ai_languageModel'), ...attach('Other', 'ai_tool') };
  expect(problems(nodes, connections)).toEqual([]);
});
