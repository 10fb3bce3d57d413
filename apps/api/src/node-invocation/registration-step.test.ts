import { describe, expect, test } from '@jest/globals';
import type { RegistrationSubject } from '@sluice/db';
import { isSameAtService } from './registration-step.ts';

const subject: RegistrationSubject = {
  workflow: { id: 'w', name: 'Hooks' },
  node: {
    name: 'Hook',
    type: 'acme.hook',
    position: [0, 0],
    parameters: { events: 'all' },
    credentials: { acmeApi: { id: 'c', name: 'Acme' } },
  },
  urls: { default: 'https://h/webhook/x' },
  routes: [{ method: 'POST', path: 'x', webhookName: 'default' }],
  timezone: 'UTC',
};
const withNode = (node: Partial<RegistrationSubject['node']>) => ({ ...subject, node: { ...subject.node, ...node } });

describe('a node requests from its service', () => {
  test.each([
    ['position', withNode({ position: [7, 7] })],
    ['workflow name', { ...subject, workflow: { id: 'w', name: 'Other' } }],
  ])('the same registration if only its %s differs', (_, other) => {
    expect(isSameAtService(subject, other)).toBe(true);
  });

  test.each([
    ['parameters', withNode({ parameters: { events: 'some' } })],
    ['credential', withNode({ credentials: { acmeApi: { id: 'd', name: 'Acme' } } })],
    ['version', withNode({ typeVersion: 2 })],
    ['URL', { ...subject, urls: { default: 'https://other/webhook/x' } }],
  ])('another registration if its %s differs', (_, other) => {
    expect(isSameAtService(subject, other)).toBe(false);
  });
});
