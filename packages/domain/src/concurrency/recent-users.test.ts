import { expect, test } from '@jest/globals';
import { RecentUsers } from './recent-users.ts';

const hour = 3_600_000;

test('a user counts for an hour after its last use', () => {
  let now = 0;
  const users = new RecentUsers(() => now);
  users.note('a');
  users.note('a');
  expect(users.areSeveral).toBe(false);
  users.note('b');
  expect(users.areSeveral).toBe(true);
  now = hour - 1;
  users.note('a');
  expect(users.areSeveral).toBe(true);
  now = hour;
  users.note('a');
  expect(users.areSeveral).toBe(false);
});
