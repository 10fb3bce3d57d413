import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import type { HttpDestination } from '@sluice/node-sdk';
import { allowedDomainsIssues, allowedHostsOf, assertHostAllowed, isNarrower } from './allowed-hosts.ts';

const domains = (allowedDomains: string) => ({ allowedHttpRequestDomains: 'domains', allowedDomains });

function allows(data: JsonObject, url: string, hosts?: readonly string[], more: Partial<HttpDestination> = {}): boolean {
  try {
    assertHostAllowed(allowedHostsOf(hosts ? { hosts } : {}, data), 'acmeApi', { url, ...more });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'CREDENTIAL_HOST_NOT_ALLOWED' });
    return false;
  }
}

describe('allowed hosts of a credential', () => {
  test.each([
    ['api.example.com', 'https://api.example.com/x'],
    ['api.example.com', 'https://API.Example.COM./x'],
    ['API.example.com.', 'https://api.example.com'],
    ['api.example.com', 'http://api.example.com:8080'],
    ['api.example.com:8443', 'https://api.example.com:8443'],
    ['api.example.com:443', 'https://api.example.com'],
    ['api.example.com:80', 'http://api.example.com'],
    ['*.example.com', 'https://a.b.example.com'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'https://BÜCHER.example'],
    ['127.0.0.1', 'http://0x7f.1'],
    ['[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080'],
    ['a.example, b.example\nc.example', 'https://c.example'],
  ])('%j allows %s', (list, url) => {
    expect(allows(domains(list), url)).toBe(true);
  });

  test.each([
    ['example.com', 'https://example.com.evil.example'],
    ['example.com', 'https://evilexample.com'],
    ['example.com', 'https://api.example.com'],
    ['example.com', 'https://example.com@evil.example'],
    ['example.com', 'https://evil.example/example.com'],
    ['example.com', 'https://evil.example\\@example.com'],
    ['example.com', 'https://еxample.com'], // a Cyrillic е
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://.example.com'],
    ['*.example.com', 'https://evilexample.com'],
    ['*.example.com', 'https://a.example.com.evil.example'],
    ['api.example.com:8443', 'https://api.example.com'],
    ['api.example.com:443', 'http://api.example.com'],
    ['*', 'https://evil.example'],
    ['*.*', 'https://evil.example'],
    ['ev*.example', 'https://evil.example'],
    ['https://evil.example/', 'https://evil.example'],
    ['', 'https://evil.example'],
    ['example.com', 'not a URL'],
  ])('%j does not allow %s', (list, url) => {
    expect(allows(domains(list), url)).toBe(false);
  });

  test('are any host for a generic type, unless its owner restricts it', () => {
    expect(allows({}, 'https://evil.example')).toBe(true);
    expect(allows({ allowedHttpRequestDomains: 'all' }, 'https://evil.example')).toBe(true);
    expect(allows({ allowedHttpRequestDomains: 'none' }, 'https://api.example')).toBe(false);
    expect(allows({ allowedHttpRequestDomains: 'nonsense' }, 'https://api.example')).toBe(false);
    expect(allows({ ...domains('a.example'), allowedDomains: 5 }, 'https://a.example')).toBe(false);
  });

  test('are the declared hosts of the service if the type declares any', () => {
    const hosts = ['slack.com'];
    for (const data of [{}, { allowedHttpRequestDomains: 'none' }] as JsonObject[]) {
      expect(allows(data, 'https://slack.com/api', hosts)).toBe(true);
      expect(allows(data, 'https://evil.example', hosts)).toBe(false);
    }
    expect(allows(domains('proxy.example'), 'https://slack.com', hosts)).toBe(false);
    expect(allows(domains('proxy.example'), 'https://proxy.example', hosts)).toBe(true);
  });

  test('are reached over https if the type declares them, unless it declares them with http', () => {
    expect(allows({}, 'http://slack.com/api', ['slack.com'])).toBe(false);
    expect(allows({}, 'http://a.slack.com:443/api', ['*.slack.com'])).toBe(false);
    expect(allows(domains('slack.com'), 'http://slack.com/api', ['slack.com'])).toBe(true);
    for (const url of ['http://own.example:8080', 'https://own.example:8080'])
      expect(allows({}, url, ['http://own.example:8080'])).toBe(true);
    const declared = allowedHostsOf({ hosts: ['slack.com'] }, {});
    expect(isNarrower(declared, allowedHostsOf({}, domains('slack.com')))).toBe(false);
    expect(isNarrower(allowedHostsOf({}, domains('slack.com')), declared)).toBe(true);
  });

  test('are not reached through a proxy that is not an allowed host', () => {
    const through = (proxy: string, url = 'http://a.example/x', list = 'a.example proxy.example:3128') =>
      allows(domains(list), url, undefined, { proxy });
    for (const proxy of ['http://evil.example:3128', 'evil.example:3128', 'http://proxy.example:1', 'nonsense://', ''])
      expect([proxy, through(proxy), through(proxy, 'https://a.example')]).toEqual([proxy, false, false]);
    expect(through('http://u:p@proxy.example:3128')).toBe(true);
    expect(through('proxy.example:3128')).toBe(true);
    expect(allows({}, 'http://a.example', undefined, { proxy: 'http://evil.example' })).toBe(true);
  });

  test('are not reached over https without certificates from public authorities', () => {
    for (const tls of [{ rejectUnauthorized: false }, { ca: 'pem' }]) {
      expect(allows(domains('a.example'), 'https://a.example', undefined, { tls })).toBe(false);
      expect(allows(domains('a.example'), 'http://a.example', undefined, { tls })).toBe(true);
      expect(allows({}, 'https://a.example', undefined, { tls })).toBe(true);
    }
    expect(allows(domains('a.example'), 'https://a.example', undefined, { tls: { cert: 'pem', key: 'pem' } })).toBe(true);
  });

  test('are refused on save if the list is empty or has an entry that is not a host', () => {
    expect(allowedDomainsIssues({ allowedDomains: 'https://x' })).toEqual([]);
    expect(allowedDomainsIssues(domains('a.example, *.b.example:8443 [::1]'))).toEqual([]);
    for (const list of [
      '',
      ' , ',
      'https://a.example',
      'a.example/x',
      '*',
      '*.127.0.0.1',
      'a@b',
      'a.example:0',
      'a.example:99999',
    ])
      expect([list, allowedDomainsIssues(domains(list))]).toEqual([
        list,
        [expect.objectContaining({ path: '/allowedDomains' })],
      ]);
  });

  test('are narrower only if each new entry is covered by an old one', () => {
    const narrower = (before: string, after: string) =>
      isNarrower(allowedHostsOf({}, domains(before)), allowedHostsOf({}, domains(after)));
    expect(isNarrower('any', allowedHostsOf({}, domains('a.example')))).toBe(true);
    expect(isNarrower(allowedHostsOf({}, domains('a.example')), 'any')).toBe(false);
    for (const [before = '', after = ''] of [
      ['a.example b.example', 'b.example'],
      ['*.example', 'a.example'],
      ['*.example', '*.b.example'],
      ['a.example', 'a.example:443'],
    ])
      expect([before, after, narrower(before, after), narrower(after, before)]).toEqual([before, after, true, false]);
    expect(narrower('*.a.example', 'a.example')).toBe(false);
    expect(narrower('a.example:443 a.example:80', 'a.example')).toBe(false);
    expect(narrower('*.example:443', 'a.b.example:443')).toBe(true);
  });

  test('are compared in linear time', () => {
    let reads = 0;
    const hosts = Array.from({ length: 2_000 }, (_, index) => ({
      get name() {
        reads += 1;
        return `${index}.example`;
      },
      isWildcard: false,
    }));
    expect(isNarrower(hosts, hosts.toReversed())).toBe(true);
    expect(reads).toBeLessThan(10 * hosts.length);
  });

  test('have names of at most 253 characters', () => {
    const name = 'a.'.repeat(126);
    expect(allowedDomainsIssues(domains(`${name}a`))).toEqual([]);
    expect(allowedDomainsIssues(domains(`${name}ab`))).toMatchObject([{ path: '/allowedDomains' }]);
  });
});
