import { expect, test } from '@jest/globals';
import { errorWorkflowOf, mayCall } from './caller-policy.ts';

const caller = { callerId: 'a', targetId: 'b' };

test.each([
  [undefined, true, false],
  ['workflowsFromSameOwner', true, false],
  ['unheard of', true, false],
  ['any', true, true],
  ['none', false, false],
])('callerPolicy %s: of its project %s, of another %s', (callerPolicy, own, other) => {
  const settings = callerPolicy === undefined ? undefined : { callerPolicy };
  expect(mayCall({ ...caller, sameProject: true, settings })).toBe(own);
  expect(mayCall({ ...caller, sameProject: false, settings })).toBe(other);
});

test.each([
  ['a', true],
  ['x, a ,y', true],
  ['x', false],
  [null, false],
])('a list of callers, %j, decides whatever the project', (callerIds, allowed) => {
  const settings = { callerPolicy: 'workflowsFromAList', callerIds };
  expect(mayCall({ ...caller, sameProject: true, settings })).toBe(allowed);
  expect(mayCall({ ...caller, sameProject: false, settings })).toBe(allowed);
});

test('a workflow may call itself', () => {
  expect(mayCall({ callerId: 'a', targetId: 'a', sameProject: true, settings: { callerPolicy: 'none' } })).toBe(true);
});

test('the error workflow is taken from the settings', () => {
  const named = [
    undefined,
    {},
    { errorWorkflow: '' },
    { errorWorkflow: 'DEFAULT' },
    { errorWorkflow: 7 as never },
    { errorWorkflow: 'w' },
  ];
  expect(named.map(errorWorkflowOf)).toEqual([undefined, undefined, undefined, undefined, undefined, 'w']);
});
