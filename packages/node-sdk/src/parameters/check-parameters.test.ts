import { describe, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import type { NodeProperty } from '../description.ts';
import { checkParameters } from './check-parameters.ts';
import { ParameterReport } from './parameter-report.ts';

const property = (name: string, type: NodeProperty['type'], more: Partial<NodeProperty> = {}): NodeProperty => ({
  displayName: name,
  name,
  type,
  default: '',
  ...more,
});
const choicesOf = (...values: (string | number)[]) => values.map((value) => ({ name: String(value), value }));

const properties: NodeProperty[] = [
  property('mode', 'options', { default: 'simple', options: choicesOf('simple', 'advanced') }),
  property('size', 'number', { default: 1 }),
  property('name', 'string'),
  property('names', 'string', { acceptsList: true }),
  property('when', 'dateTime'),
  property('count', 'number', { default: 1, typeOptions: { minValue: 0 } }),
  property('hour', 'number', { default: 1, typeOptions: { minValue: 0, maxValue: 23 } }),
  property('size', 'options', { options: choicesOf('small'), displayOptions: { show: { mode: ['advanced'] } } }),
  property('deep', 'options', { options: choicesOf('a'), displayOptions: { show: { mode: ['advanced'] } } }),
  property('keep', 'boolean', { default: false }),
  property('loose', 'number', { acceptsAnyValue: true }),
  property('model', 'string', { typeOptions: { searchListMethod: 'list' } }),
  property('days', 'multiOptions', { default: [], options: choicesOf(0, 1) }),
  property('remote', 'options', { typeOptions: { loadOptionsMethod: 'list' } }),
  property('options', 'collection', { default: {}, options: [property('limit', 'number', { default: 0 })] }),
  property('fields', 'fixedCollection', {
    default: {},
    typeOptions: { multipleValues: true },
    options: [{ name: 'values', displayName: 'Values', values: [property('key', 'string'), property('count', 'number')] }],
  }),
  property('conditions', 'filter', { default: {}, displayOptions: { show: { '@version': [2] } } }),
  property('assignments', 'assignmentCollection', { default: {} }),
];

const problems = (parameters: JsonObject, typeVersion = 2) =>
  checkParameters({ description: { properties } }, parameters, typeVersion);

describe('parameters that match their description have no problems', () => {
  test.each<JsonObject>([
    {},
    { mode: 'advanced', deep: 'a', size: 'small' },
    { mode: '={{ $json.mode }}', size: '={{ 1 }}' },
    { size: '5', keep: 'true', days: ['0', 1] },
    { deep: '' },
    { remote: 'anything', mode: { __rl: true, mode: 'list', value: 'x' } },
    { mode: { __rl: true, value: 'x' }, name: { __rl: true, mode: '={{ $json.mode }}', value: 'x' } },
    { model: { mode: 'id', value: 'x' } },
    { options: {}, fields: {}, assignments: {} },
    { options: '', fields: [] },
    { fields: { values: [{ key: 'a' }, {}] } },
    { fields: { values: { key: 'a', count: 2 } } },
    { fields: { values: '={{ $json.fields }}' } },
    { conditions: { options: {}, combinator: 'or', conditions: [{ operator: { type: 'number', operation: 'gt' } }] } },
    { conditions: { conditions: [{ id: 'x', leftValue: '', operator: { operation: 'exists', singleValue: true } }] } },
    { assignments: { assignments: [{ name: 'a', value: 1, type: 'number' }] } },
    { assignments: { assignments: [{ id: 'x', name: 'a', value: 1, type: '={{ $json.type }}' }, { name: 'b' }] } },
    { assignments: { assignments: [{ name: 'a', value: {}, type: 'null' }] } },
    { name: 5, names: ['a', 'b'], when: '2024-01-01', count: 0, hour: '23' },
    { mode: null, size: null, name: null, keep: null, options: null },
    { keep: '' },
    { conditions: { options: { caseSensitive: 'true', leftValue: '', typeValidation: 'loose', version: 2 } } },
    { conditions: { options: { caseSensitive: '={{ $json.a }}', typeValidation: '={{ $json.b }}' } } },
  ])('%j', (parameters) => {
    expect(problems(parameters)).toEqual([]);
  });
});

test.each<[JsonObject, string, string]>([
  [
    { name: { __rl: true, mode: 'address', value: 'x' } },
    'name.mode',
    'the parameter "name.mode" has the value "address"; allowed: list, id, url, name, username',
  ],
  [{ mode: 'other' }, 'mode', 'the parameter "mode" has the value "other"; allowed: simple, advanced'],
  [{ mode: 'advanced', deep: 'b' }, 'deep', 'the parameter "deep" has the value "b"; allowed: a'],
  [{ size: 'many' }, 'size', 'the parameter "size" must be a number, but is "many"'],
  [{ keep: 'perhaps' }, 'keep', 'the parameter "keep" must be true or false, but is "perhaps"'],
  [{ days: 1 }, 'days', 'the parameter "days" must be a list, but is 1'],
  [{ days: [0, 7] }, 'days.1', 'the parameter "days.1" has the value 7; allowed: 0, 1'],
  [{ options: [1] }, 'options', 'the parameter "options" must be an object, but is a list'],
  [{ options: { limit: 'x' } }, 'options.limit', 'the parameter "options.limit" must be a number, but is "x"'],
  [{ fields: [{ key: 'a' }] }, 'fields', 'the parameter "fields" must be an object, but is a list'],
  [{ fields: { entries: [] } }, 'fields.entries', 'the parameter "fields.entries" does not exist; allowed: values'],
  [{ fields: { values: ['x'] } }, 'fields.values.0', 'the parameter "fields.values.0" must be an object, but is "x"'],
  [{ conditions: [{ field: 'a', op: 'eq', value: 1 }] }, 'conditions', 'must be an object, but is a list'],
  [{ conditions: { string: [{ value1: 'a' }] } }, 'conditions.string', 'allowed: conditions, combinator, options'],
  [{ conditions: { combinator: 'xor' } }, 'conditions.combinator', 'has the value "xor"; allowed: and, or'],
  [{ conditions: { conditions: [{ field: 'a' }] } }, 'conditions.conditions.0.operator', 'allowed: type, operation'],
  [
    { conditions: { conditions: [{ left: 1, right: 2, operator: { type: 'number', operation: 'equals' } }] } },
    'conditions.conditions.0.left',
    'allowed: id, leftValue, rightValue, operator',
  ],
  [
    { conditions: { conditions: [{ leftValue: 'a', value: 'b', operator: { type: 'string', operation: 'contains' } }] } },
    'conditions.conditions.0.value',
    'allowed: id, leftValue, rightValue, operator',
  ],
  [
    { conditions: { conditions: [{ operator: { type: 'string', operation: 'resembles' } }] } },
    'conditions.conditions.0.operator.operation',
    'has the value "resembles"; allowed: exists, ',
  ],
  [{ conditions: { conditions: [{ operator: { type: 'money' } }] } }, 'conditions.conditions.0.operator.type', '"money"'],
  [{ mode: ['simple'] }, 'mode', 'the parameter "mode" has the value a list; allowed: simple, advanced'],
  [{ count: -5 }, 'count', 'the parameter "count" must be a number of 0 or more, but is -5'],
  [{ hour: '24' }, 'hour', 'the parameter "hour" must be a number from 0 to 23, but is "24"'],
  [{ conditions: null }, 'conditions', 'must be an object, but is null'],
  [{ conditions: { conditions: null } }, 'conditions.conditions', 'must be a list, but is null'],
  [{ conditions: { options: 'loose' } }, 'conditions.options', 'must be an object, but is "loose"'],
  [
    { conditions: { options: { typeValidation: 'banana' } } },
    'conditions.options.typeValidation',
    'has the value "banana"; allowed: strict, loose',
  ],
  [
    { conditions: { options: { caseSensitive: 'no' } } },
    'conditions.options.caseSensitive',
    'has the value "no"; allowed: true, false',
  ],
  [{ conditions: { options: { version: '2x' } } }, 'conditions.options.version', 'must be a number'],
  [{ fields: { values: null } }, 'fields.values', 'must be a list of objects, but is null'],
  [
    { assignments: { assignments: [{ name: 'a', type: 'bogus' }] } },
    'assignments.assignments.0.type',
    'has the value "bogus"; allowed: string, number, boolean, array, object',
  ],
  [{ assignments: { values: [] } }, 'assignments.values', 'does not exist; allowed: assignments'],
  [{ assignments: { assignments: [{ key: 'a' }] } }, 'assignments.assignments.0', 'allowed: name, type, value'],
])('%j is invalid at %s', (parameters, path, message) => {
  expect(problems(parameters)).toContainEqual({ kind: 'invalid', path, message: expect.stringContaining(message) });
});

test('an entry without known members is invalid, because all of its values would be defaults', () => {
  expect(problems({ fields: { values: [{ field: 'a' }] } })).toEqual([
    { kind: 'unknown', path: 'fields.values.0.field', message: expect.stringContaining('known: key, count') },
    { kind: 'invalid', path: 'fields.values.0', message: expect.stringContaining('allowed: key, count') },
  ]);
});

test.each<[JsonObject, string, string]>([
  [{ name: ['x'] }, 'name', 'the parameter "name" must be a string, but is a list'],
  [{ name: { a: 1 } }, 'name', 'the parameter "name" must be a string, but is an object'],
  [{ model: { id: 'x' } }, 'model', 'the parameter "model" must be a string, but is an object'],
  [{ names: { a: 1 } }, 'names', 'the parameter "names" must be a string, but is an object'],
  [{ when: true }, 'when', 'the parameter "when" must be a date, but is true'],
  [{ loose: 'many' }, 'loose', 'the parameter "loose" must be a number, but is "many"'],
  [{ fields: null }, 'fields', 'the parameter "fields" must be an object, but is null'],
  [{ assignments: null }, 'assignments', 'the parameter "assignments" must be an object, but is null'],
  [
    { conditions: { conditions: [{ leftValue: 1, rightValue: 1, operator: { type: 'object', operation: 'isEmpty' } }] } },
    'conditions.conditions.0.operator.operation',
    'the parameter "conditions.conditions.0.operator.operation" is "isEmpty", an operation that the condition type does not support, so no item meets it; allowed: exists, notExists, empty, notEmpty',
  ],
])('%j is doubtful, because the node may still be able to read it', (parameters, path, message) => {
  expect(problems(parameters)).toEqual([{ kind: 'doubtful', path, message }]);
});

test.each<[JsonObject, string]>([
  [{ conditions: { options: { typeValidaton: 'loose' } } }, 'conditions.options.typeValidaton'],
  [{ assignments: { assignments: [{ name: 'a', vaule: 1 }] } }, 'assignments.assignments.0.vaule'],
  [{ leftover: {} }, 'leftover'],
  [{ condtions: {}, conditions: { conditions: [] } }, 'condtions'],
  [{ dep: 'a' }, 'dep'],
  [{ options: { limt: 1 } }, 'options.limt'],
  [JSON.parse('{ "__proto__": 1 }') as JsonObject, '__proto__'],
])('%j has an unknown parameter', (parameters, path) => {
  expect(problems(parameters)).toEqual([{ kind: 'unknown', path, message: expect.stringContaining('has no effect') }]);
});

test('empty request options, which exports have for all declarative types, are not reported', () => {
  expect(problems({ requestOptions: {} })).toEqual([]);
  expect(problems({ requestOptions: { timeout: 1 } })).toMatchObject([{ kind: 'unknown', path: 'requestOptions' }]);
});

test('a parameter of another version is unknown', () => {
  expect(problems({ conditions: [1] }, 1)).toEqual([{ kind: 'unknown', path: 'conditions', message: expect.any(String) }]);
});

test('at most 20 problems are reported', () => {
  const parameters = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, 1]));
  expect(problems(parameters)).toHaveLength(20);
});

test('the check visits a bounded number of values', () => {
  let reads = 0;
  const ownKeys = (target: JsonObject) => {
    reads += 1;
    return Reflect.ownKeys(target);
  };
  const entry = new Proxy<JsonObject>({ key: 'a' }, { ownKeys });
  expect(problems({ fields: { values: Array.from({ length: 100_000 }, () => entry) } })).toEqual([]);
  expect(reads).toBeLessThan(50_000);
});

/** An object with the maximum number of members, and more. */
const wrong = (more: JsonObject = {}): JsonObject => ({
  ...Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, 1])),
  ...more,
});

test.each<[string, () => JsonObject]>([
  ['conditions', () => ({ conditions: { conditions: [wrong(), wrong()] } })],
  ['members next to operands', () => ({ conditions: { conditions: [wrong({ leftValue: 1, rightValue: 1 })] } })],
  ['members of a filter and its options', () => ({ conditions: wrong({ options: wrong() }) })],
  ['assignments', () => ({ assignments: { assignments: [wrong({ name: 'a' }), wrong()] } })],
  ['members of assignments', () => ({ assignments: wrong() })],
  ['groups', () => ({ fields: wrong() })],
  ['entries', () => ({ fields: { values: [wrong(), wrong()] } })],
  ['members of a collection', () => ({ options: wrong() })],
])('once 20 problems are found, no further value is visited: %s', async (_, make) => {
  const parameters = make();
  const visits = jest.spyOn(ParameterReport.prototype, 'at');
  expect(await longestBusy(() => problems(parameters))).toBeLessThan(250);
  expect(visits.mock.calls.length).toBeLessThan(100);
  visits.mockRestore();
});

test.each<[string, () => JsonObject]>([
  ['entries without members', () => ({ fields: { values: Array.from({ length: 2_000_000 }, () => ({})) } })],
  ['digits', () => ({ count: '1'.repeat(15_000_000) })],
  ['a string instead of an option', () => ({ mode: '"'.repeat(15_000_000) })],
])('the largest values never block the event loop: %s', async (_, make) => {
  const parameters = make();
  expect(await longestBusy(() => problems(parameters))).toBeLessThan(250);
});

test('parameters without a description are not copied', () => {
  const parameters = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, 1]));
  let reads = 0;
  const get = (target: JsonObject, name: string) => {
    reads += 1;
    return target[name];
  };
  expect(problems(new Proxy<JsonObject>(parameters, { get: (target, name) => get(target, String(name)) }))).toHaveLength(20);
  expect(reads).toBeLessThan(1_000);
});

test('on save, empty required parameters that are visible are doubtful', () => {
  const needed: NodeProperty[] = [
    property('mode', 'options', { default: 'simple', options: choicesOf('simple', 'advanced') }),
    property('url', 'string', { required: true }),
    property('kept', 'string', { required: true, default: 'x' }),
    property('hidden', 'string', { required: true, displayOptions: { show: { mode: ['advanced'] } } }),
    property('options', 'collection', { default: {}, options: [property('key', 'string', { required: true })] }),
  ];
  const missing = (parameters: JsonObject, onSave = true) =>
    checkParameters({ description: { properties: needed } }, parameters, 1, { onSave }).map(({ path }) => path);
  expect(missing({})).toEqual(['url']);
  expect(missing({ url: '', mode: 'advanced', options: {} })).toEqual(['options.key', 'url', 'hidden']);
  expect(missing({ url: '={{ $json.url }}' })).toEqual([]);
  expect(missing({}, false)).toEqual([]);
  expect(checkParameters({ description: { properties: needed } }, {}, 1, { onSave: true })).toEqual([
    { kind: 'doubtful', path: 'url', message: 'the parameter "url" is required, but is empty' },
  ]);
});

// cspell:ignore asignments
const misspelled: [JsonObject, string][] = [
  [{ condtions: {} }, 'there is no parameter "condtions"; did you mean "conditions"?'],
  [{ NAMES: 'a', name: '' }, 'there is no parameter "NAMES"; did you mean "names"?'],
  [{ 'k-e_e p': true }, 'there is no parameter "k-e_e p"; did you mean "keep"?'],
  [{ mod: 'advanced' }, 'there is no parameter "mod"; did you mean "mode"?'],
  [{ asignments: {} }, 'there is no parameter "asignments"; did you mean "assignments"?'],
];
test.each(misspelled)('the error for %j suggests a parameter with a similar name', (parameters, message) => {
  expect(problems(parameters)).toEqual([{ kind: 'invalid', path: Object.keys(parameters)[0], message }]);
});

describe('a parameter of another version', () => {
  const of = (...versions: number[]) => ({ displayOptions: { show: { '@version': versions } } });
  const description = {
    version: [1, 2, 3],
    properties: [
      property('values', 'fixedCollection', { default: {}, ...of(1, 2) }),
      property('keepOnly', 'boolean', { default: false, ...of(1, 2) }),
      property('mode', 'options', { default: 'fields', options: choicesOf('fields', 'raw'), ...of(3) }),
      property('assignments', 'assignmentCollection', {
        default: {},
        displayOptions: { show: { '@version': [3], mode: ['fields'] } },
      }),
      property('shared', 'string'),
    ],
  };
  const kinds = (parameters: JsonObject, typeVersion = 3) =>
    checkParameters({ description }, parameters, typeVersion).map(({ kind, path }) => `${kind} ${path}`);
  const values = { string: [] };

  test.each<[JsonObject, number, string]>([
    [{ values }, 3, 'version 3 of the node has no parameter "values"; it belongs to versions 1, 2'],
    [
      { values, mode: 'fields', shared: 'x' },
      3,
      'version 3 of the node has no parameter "values"; it belongs to versions 1, 2',
    ],
    [{ keepOnly: true }, 3, 'version 3 of the node has no parameter "keepOnly"; it belongs to versions 1, 2'],
    [{ assignments: { assignments: [] } }, 1, 'version 1 of the node has no parameter "assignments"; it belongs to version 3'],
  ])('%j is invalid in version %d without its replacement', (parameters, typeVersion, message) => {
    expect(checkParameters({ description }, parameters, typeVersion)).toEqual([
      { kind: 'invalid', path: Object.keys(parameters)[0], message },
    ]);
  });

  test.each<JsonObject>([
    { values, assignments: { assignments: [] } },
    { values, mode: 'raw' },
    { values: {} },
    { keepOnly: false },
    { keepOnly: true, mode: 'raw' },
  ])('%j has a leftover, which is only unknown', (parameters) => {
    expect(kinds(parameters)).toEqual([`unknown ${Object.keys(parameters)[0]}`]);
  });
});
