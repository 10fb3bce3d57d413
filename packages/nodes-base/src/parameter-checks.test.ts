import { describe, expect, test } from '@jest/globals';
import {
  checkParameters,
  type JsonObject,
  type JsonValue,
  type NodeProperty,
  type NodePropertyGroup,
  type NodeType,
  nodeTypeOfVersion,
} from '@sluice/node-sdk';
import { baseNodeTypes } from './base-node-types.ts';

/** Invalid values for each parameter type; types that accept any value are omitted. */
const wrongValues: Partial<Record<NodeProperty['type'], JsonValue[]>> = {
  string: [{ a: 1 }],
  dateTime: [{ a: 1 }, true],
  number: ['many', ['x']],
  boolean: ['perhaps', ['x']],
  options: ['no such choice', ['x']],
  multiOptions: ['no such choice', ['no such choice']],
  collection: ['x', 5, { noSuchMember: 1 }],
  fixedCollection: ['x', 5, null, { noSuchGroup: [{}] }],
  filter: [5, null, { options: { typeValidation: 'banana' } }, { conditions: null }],
  assignmentCollection: [5, null, { assignments: [{ name: 'a', type: 'bogus' }] }],
};

interface Place {
  path: string;
  property: NodeProperty;
  /** A node's parameters with `value` in this place. */
  parametersWith(value: JsonValue): JsonObject;
}

/**
 * All parameters of a description, including those in collections. Parameters that depend on others
 * are omitted.
 */
function placesOf(properties: readonly NodeProperty[], version: number): Place[] {
  const isAlways = ({ displayOptions: { show = {}, hide = {} } = {} }: NodeProperty) =>
    Object.keys({ ...show, ...hide }).every((name) => name === '@version') &&
    (show['@version'] ?? [version]).includes(version) &&
    !(hide['@version'] ?? []).includes(version);
  const places = (list: readonly NodeProperty[], prefix: string, wrap: (value: JsonObject) => JsonObject): Place[] =>
    list.filter(isAlways).flatMap((property) => {
      const { name, type, options = [] } = property;
      const path = `${prefix}${name}`;
      const at = (value: JsonValue) => wrap({ [name]: value });
      const inner = type === 'collection' ? places(options as NodeProperty[], `${path}.`, at) : [];
      const groups = type === 'fixedCollection' ? (options as NodePropertyGroup[]) : [];
      const entries = groups.flatMap(({ name: group, values }) =>
        places(values, `${path}.${group}.`, (entry) => at({ [group]: [entry] })),
      );
      return [{ path, property, parametersWith: at }, ...inner, ...entries];
    });
  return places(properties, '', (value) => value);
}

const isLoaded = ({ typeOptions = {} }: NodeProperty) => 'loadOptionsMethod' in typeOptions || 'loadOptions' in typeOptions;

const rootOf = (path: string) => path.split('.', 1)[0];

function unnoticed(type: NodeType, version: number): string[] {
  const ofVersion = nodeTypeOfVersion(type, version);
  // Unsupported features have their own error.
  const unsupported = new Set((ofVersion.unsupported ?? []).map(({ parameter }) => parameter));
  const places = placesOf(ofVersion.description.properties, version);
  const count = (path: string) => places.filter((place) => place.path === path).length;
  return places
    .filter(({ path, property }) => count(path) === 1 && !unsupported.has(path) && !isLoaded(property))
    .flatMap(({ path, property, parametersWith }) =>
      (wrongValues[property.type] ?? [])
        .filter(
          (value) =>
            !checkParameters(ofVersion, parametersWith(value), version).some((one) => rootOf(one.path) === rootOf(path)),
        )
        .map((value) => `${path} ${JSON.stringify(value)}`),
    );
}

describe.each(baseNodeTypes.map((type) => [type.description.name, type] as const))('%s', (_, type) => {
  test.each([type.description.version].flat())('version %d rejects a value of the wrong type in every parameter', (version) => {
    expect(unnoticed(type, version)).toEqual([]);
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
])('A5: %s %d with %j is invalid', (name, version, parameters, message) => {
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
])('A5: %s %d without parameters has a hint', (name, version, message) => {
  const type = baseNodeTypes.find(({ description }) => description.name === name);
  if (!type) throw new Error(`there is no type ${name}`);
  const path = message.split('"')[1];
  expect(checkParameters(type, {}, version)).toEqual([{ kind: 'doubtful', path, message }]);
});

const rule = { outputKey: 'a', renameOutput: true };
test('F5: a rule of Switch without conditions has a hint', () => {
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
])('F5: %s %d with %j has a hint', (name, version, parameters, message) => {
  const type = baseNodeTypes.find(({ description }) => description.name === name) as NodeType;
  expect(checkParameters(nodeTypeOfVersion(type, version), parameters, version)).toEqual([
    { kind: 'unused', path: message.split('"')[1], message: expect.stringContaining(message) },
  ]);
});

test('F5: assignments of Set in raw mode have a warning on save only', () => {
  const type = baseNodeTypes.find(({ description }) => description.name === 'set') as NodeType;
  const parameters = { mode: 'raw', jsonOutput: '{}', assignments: assignment };
  const message = 'the parameter "assignments" is used only if "mode" is "manual"';
  expect(checkParameters(type, parameters, 3.4)).toEqual([]);
  expect(checkParameters(type, parameters, 3.4, { onSave: true })).toEqual([{ kind: 'unused', path: 'assignments', message }]);
});
