import { expect, test } from '@jest/globals';
import { filterOperations } from '@sluice/node-sdk/display';
import { operationLabel } from './operation-label.ts';

test('every condition operation has a label in words', () => {
  const labels = [...new Set(Object.values(filterOperations).flat())].map(operationLabel);
  expect(labels.filter((label) => !/^(is|has|does|matches|contains|exists|starts|ends)\b/.test(label))).toEqual([]);
  expect(new Set(labels).size).toBe(labels.length);
});
