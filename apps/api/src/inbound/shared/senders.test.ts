import { expect, test } from '@jest/globals';
import { isAllowedAddress } from './allowed-address.ts';
import { isBot } from './is-bot.ts';

test.each([
  ['10.1.2.3', undefined, true],
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.1.2.3'], true],
  ['11.1.2.3', ['10.0.0.0/8', '10.1.2.3'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  ['', ['10.0.0.0/8'], false],
  ['not an address', ['0.0.0.0/0'], false],
])('a call from %j, where %j may call, counts: %s', (address, allowed, counts) => {
  expect(isAllowedAddress(address, allowed)).toBe(counts);
});

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Slackbot-LinkExpanding 1.0', true],
  ['WhatsApp/2.23', true],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', false],
  ['curl/8.5.0', false],
  [undefined, false],
])('%j is a bot: %s', (agent, expected) => {
  expect(isBot(agent)).toBe(expected);
});
