import { expect, test } from '@jest/globals';
import { toConfig } from '@sluice/config';
import { banner } from './banner.ts';

test('in a checkout, the banner names commands of `./dev`', () => {
  const text = banner(toConfig({}), { url: 'http://here', link: 'http://here/sign-in', ownerEmail: 'o@here', startMs: 1 });
  const commands = [...text.matchAll(/`([^`]+)`/g)].map(([, command]) => command);
  expect(commands).toEqual(['./dev sluice users link', './dev sluice keys create']);
});
