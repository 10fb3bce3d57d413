import { expect, test } from '@jest/globals';
import { fakeContext } from '../testing/fake-context.ts';
import { dataProxy } from './data-proxy.ts';

test.each([true, false])('reports whether the workflow is active: %s', (active) => {
  const workflow = { id: 'w', projectId: 'p', name: 'Orders', active, timezone: 'UTC' };
  expect(dataProxy(fakeContext({ over: { workflow } }), 0, {})['$workflow']).toEqual({ id: 'w', name: 'Orders', active });
});
