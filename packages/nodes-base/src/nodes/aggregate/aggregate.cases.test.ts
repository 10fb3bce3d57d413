import { expect, test } from '@jest/globals';
import { expectedOf, inVersions, type NodeCase, runCase } from '../../testing/node-cases.ts';
import { aggregate } from './aggregate.ts';

const wholeItems = { aggregate: 'aggregateAllItemData' };

const cases: NodeCase[] = [
  {
    name: 'items that have none of the chosen fields are left out and not paired',
    parameters: { ...wholeItems, include: 'specifiedFields', fieldsToInclude: 'a' },
    inputs: [[{ a: 1 }, { b: 1 }, { a: 2 }]],
    outputs: [[{ data: [{ a: 1 }, { a: 2 }] }]],
    pairs: ['0:0,0:2'],
  },
  {
    name: 'without chosen fields, items come whole',
    parameters: { ...wholeItems, include: 'specifiedFields', fieldsToInclude: '' },
    inputs: [[{ a: 1 }, {}]],
    outputs: [[{ data: [{ a: 1 }, {}] }]],
    pairs: ['0:0,0:1'],
  },
  {
    name: 'a field without a name gives nothing, and names keep their blanks',
    parameters: { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: '' }, { fieldToAggregate: 'a ' }] } },
    inputs: [[{ a: 1, 'a ': 2 }]],
    outputs: [[{ 'a ': [2] }]],
  },
  {
    name: 'an element of a list comes out as the first element',
    parameters: { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'o.l[0]' }] } },
    inputs: [[{ o: { l: [5] } }, {}]],
    outputs: [[{ l: [[5]] }]],
  },
  {
    name: 'an empty name of the destination is a name',
    parameters: { ...wholeItems, destinationFieldName: '' },
    inputs: [[{ a: 1 }]],
    outputs: [[{ '': [{ a: 1 }] }]],
  },
];

test.each(inVersions(aggregate, cases))('aggregate %s', async (_, nodeCase, version) => {
  expect(await runCase(aggregate, nodeCase, version)).toEqual(expectedOf(nodeCase));
});
