import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { checkParameters } from './check-parameters.ts';

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
  property('size', 'options', { options: choicesOf('small'), displayOptions: { show: { mode: ['advanced'] } } }),
  property('deep', 'options', { options: choicesOf('a'), displayOptions: { show: { mode: ['advanced'] } } }),
  property('keep', 'boolean', { default: false }),
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

describe('parameters that fit their description have no problems', () => {
  test.each<JsonObject>([
    {},
    { mode: 'advanced', deep: 'a', size: 'small' },
    { mode: '={{ $json.mode }}', size: '={{ 1 }}' },
    { size: '5', keep: 'true', days: ['0', 1] },
    { deep: 'left from another mode' },
    { remote: 'anything', mode: { __rl: true, mode: 'list', value: 'x' } },
    { options: {}, fields: {}, assignments: {} },
    { options: '', fields: [] },
    { fields: { values: [{ key: 'a' }, {}] } },
    { fields: { values: { key: 'a', count: 2 } } },
    { fields: { values: '={{ $json.fields }}' } },
    { conditions: { options: {}, combinator: 'or', conditions: [{ operator: { type: 'number', operation: 'gt' } }] } },
    { conditions: { conditions: [{ id: 'x', leftValue: '', operator: { operation: 'exists', singleValue: true } }] } },
    { assignments: { assignments: [{ name: 'a', value: 1, type: 'number' }] } },
  ])('%j', (parameters) => {
    expect(problems(parameters)).toEqual([]);
  });
});

test.each<[JsonObject, string, string]>([
  [{ mode: 'other' }, 'mode', 'the parameter "mode" has the value "other"; allowed: simple, advanced'],
  [{ mode: 'advanced', deep: 'b' }, 'deep', 'the parameter "deep" has the value "b"; allowed: a'],
  [{ size: 'many' }, 'size', 'the parameter "size" has to be a number, and is "many"'],
  [{ keep: 'perhaps' }, 'keep', 'the parameter "keep" has to be true or false, and is "perhaps"'],
  [{ days: 1 }, 'days', 'the parameter "days" has to be a list, and is 1'],
  [{ days: [0, 7] }, 'days.1', 'the parameter "days.1" has the value 7; allowed: 0, 1'],
  [{ options: [1] }, 'options', 'the parameter "options" has to be an object, and is a list'],
  [{ options: { limit: 'x' } }, 'options.limit', 'the parameter "options.limit" has to be a number, and is "x"'],
  [{ fields: [{ key: 'a' }] }, 'fields', 'the parameter "fields" has to be an object, and is a list'],
  [{ fields: { entries: [] } }, 'fields.entries', 'the parameter "fields.entries" does not exist; allowed: values'],
  [{ fields: { values: ['x'] } }, 'fields.values.0', 'the parameter "fields.values.0" has to be an object, and is "x"'],
  [{ conditions: [{ field: 'a', op: 'eq', value: 1 }] }, 'conditions', 'has to be an object, and is a list'],
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
  [{ assignments: { values: [] } }, 'assignments.values', 'does not exist; allowed: assignments'],
  [{ assignments: { assignments: [{ key: 'a' }] } }, 'assignments.assignments.0', 'allowed: name, type, value'],
])('%j is invalid at %s', (parameters, path, message) => {
  expect(problems(parameters)).toContainEqual({ kind: 'invalid', path, message: expect.stringContaining(message) });
});

test('an entry of which no member is known is invalid, since all of its values would be defaults', () => {
  expect(problems({ fields: { values: [{ field: 'a' }] } })).toEqual([
    { kind: 'unknown', path: 'fields.values.0.field', message: expect.stringContaining('known: key, count') },
    { kind: 'invalid', path: 'fields.values.0', message: expect.stringContaining('allowed: key, count') },
  ]);
});

test.each<[JsonObject, string]>([
  [{ condtions: {} }, 'condtions'],
  [{ options: { limt: 1 } }, 'options.limt'],
  [JSON.parse('{ "__proto__": 1 }') as JsonObject, '__proto__'],
])('%j has an unknown parameter', (parameters, path) => {
  expect(problems(parameters)).toEqual([{ kind: 'unknown', path, message: expect.stringContaining('has no effect') }]);
});

test('a parameter of another version is unknown', () => {
  expect(problems({ conditions: [1] }, 1)).toEqual([{ kind: 'unknown', path: 'conditions', message: expect.any(String) }]);
});

test('at most 20 problems are reported', () => {
  const parameters = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, 1]));
  expect(problems(parameters)).toHaveLength(20);
});

test('the check looks at a bounded number of values, however many there are', () => {
  let read = 0;
  const ownKeys = (target: JsonObject) => {
    read += 1;
    return Reflect.ownKeys(target);
  };
  const entry = new Proxy<JsonObject>({ key: 'a' }, { ownKeys });
  expect(problems({ fields: { values: Array.from({ length: 100_000 }, () => entry) } })).toEqual([]);
  expect(read).toBeLessThan(50_000);
});
