import { describe, expect, test } from '@jest/globals';
import { checkParameters, type JsonObject, type NodeType, nodeTypeOfVersion } from '@sluice/node-sdk';
import { baseNodeTypes } from './base-node-types.ts';
import { unnoticedValues } from './testing/unnoticed-values.ts';

describe.each(baseNodeTypes.map((type) => [type.description.name, type] as const))('%s', (_, type) => {
  test.each([type.description.version].flat())('version %d rejects a value of the wrong type in every parameter', (version) => {
    expect(unnoticedValues(type, version)).toEqual([]);
  });
});

// cspell:ignore jscode methd
test.each<[string, number, JsonObject, string]>([
  ['set', 3.4, { assignment: { assignments: [] } }, 'did you mean "assignments"?'],
  ['code', 2, { jscode: 'return []' }, 'there is no parameter "jscode"; did you mean "jsCode"?'],
  ['http-request', 4.2, { url: 'http://localhost', methd: 'POST' }, 'did you mean "method"?'],
  ['set', 3.4, { values: { string: [{ name: 'a', value: 'b' }] }, options: {} }, 'it belongs to versions 1, 2'],
  ['set', 1, { assignments: { assignments: [{ name: 'a' }] } }, 'it belongs to versions 3.3, 3.4, 3.5'],
  ['http-request', 4.2, { url: 'http://localhost', requestMethod: 'POST' }, 'it belongs to versions 1, 2'],
])('%s %d with %j is invalid', (name, version, parameters, message) => {
  const type = baseNodeTypes.find(({ description }) => description.name === name);
  if (!type) throw new Error(`there is no type ${name}`);
  expect(checkParameters(nodeTypeOfVersion(type, version), parameters, version)).toEqual([
    { kind: 'invalid', path: expect.any(String), message: expect.stringContaining(message) },
  ]);
});

test.each<[string, number, string]>([
  ['if', 1, 'the parameter "conditions" is empty: without conditions, every item passes'],
  ['if', 2.2, 'the parameter "conditions" is empty: without conditions, every item passes'],
  ['filter', 2.2, 'the parameter "conditions" is empty: without conditions, every item passes'],
  ['switch', 1, 'the parameter "rules" is empty: without rules, no item matches'],
  ['switch', 3.2, 'the parameter "rules" is empty: without rules, no item matches'],
])('%s %d without parameters has a hint', (name, version, message) => {
  const type = baseNodeTypes.find(({ description }) => description.name === name);
  if (!type) throw new Error(`there is no type ${name}`);
  const path = message.split('"')[1];
  expect(checkParameters(type, {}, version)).toEqual([{ kind: 'doubtful', path, message }]);
});

test.each(['if', 'filter'])('operands of %s 1 may have any type', (name) => {
  const type = baseNodeTypes.find(({ description }) => description.name === name) as NodeType;
  const conditions = {
    boolean: [{ value1: '={{ $json.status }}', value2: 'succeeded' }],
    number: [{ value1: 'a', value2: 'b' }],
  };
  expect(checkParameters(type, { conditions }, 1).filter(({ kind }) => kind === 'invalid')).toEqual([]);
});

const rule = { outputKey: 'a', renameOutput: true };
test('a Switch rule without conditions has a hint', () => {
  const type = baseNodeTypes.find(({ description }) => description.name === 'switch') as NodeType;
  const path = 'rules.values.0.conditions';
  const message = `the parameter "${path}" is empty: without conditions, every item passes`;
  expect(checkParameters(type, { rules: { values: [rule] } }, 3.2)).toEqual([{ kind: 'doubtful', path, message }]);
});

const assignment = { assignments: [{ name: 'a', value: '1', type: 'string' }] };
const pair = { parameters: [{ name: 'a', value: 'b' }] };
const url = 'http://localhost';

test.each<[string, number, JsonObject, string]>([
  ['set', 3.4, { jsonOutput: '{"q":1}' }, 'the parameter "jsonOutput" is used only if "mode" is "raw"'],
  [
    'http-request',
    4.2,
    { url, headerParameters: pair },
    'the parameter "headerParameters" is used only if "sendHeaders" is true',
  ],
  ['http-request', 4.2, { url, queryParameters: pair }, 'the parameter "queryParameters" is used only if "sendQuery" is true'],
  [
    'http-request',
    4.2,
    { url, method: 'POST', jsonBody: '{}' },
    'the parameter "jsonBody" is used only if "sendBody" is true and "specifyBody" is "json"',
  ],
  ['http-request', 4.2, { url, method: 'POST', body: 'a' }, 'the parameter "body" is used only if "sendBody" is true'],
  ['sort', 1, { code: 'return 1' }, 'the parameter "code" is used only if "type" is "code"'],
  ['wait', 1.1, { dateTime: '2030-01-01' }, 'the parameter "dateTime" is used only if "resume" is "specificTime"'],
])('%s %d with %j has a hint', (name, version, parameters, message) => {
  const type = baseNodeTypes.find(({ description }) => description.name === name) as NodeType;
  expect(checkParameters(nodeTypeOfVersion(type, version), parameters, version)).toEqual([
    { kind: 'unused', path: message.split('"')[1], message: expect.stringContaining(message) },
  ]);
});

test('Set assignments in raw mode have a warning only on save', () => {
  const type = baseNodeTypes.find(({ description }) => description.name === 'set') as NodeType;
  const parameters = { mode: 'raw', jsonOutput: '{}', assignments: assignment };
  const message = 'the parameter "assignments" is used only if "mode" is "manual"';
  expect(checkParameters(type, parameters, 3.4)).toEqual([]);
  expect(checkParameters(type, parameters, 3.4, { onSave: true })).toEqual([{ kind: 'unused', path: 'assignments', message }]);
});
