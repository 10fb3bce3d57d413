import { expect, test } from '@jest/globals';
import { routeLabel } from './observe-requests.ts';

test.each([
  [{ path: '/workflows/:id' }, '/workflows/:id'],
  [{ path: ['/docs/a.js', '/docs/b.js'] }, 'several'],
  [undefined, 'none'],
])('the route %j has the label %s', (route, label) => {
  expect(routeLabel({ route })).toBe(label);
});
