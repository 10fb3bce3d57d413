import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { allowedDomainsIssues, allowedHostsOf, assertHostAllowed, isNarrower } from './allowed-hosts.ts';

const domains = (allowedDomains: string) => ({ allowedHttpRequestDomains: 'domains', allowedDomains });

function allows(data: JsonObject, url: string, hosts?: readonly string[]): boolean {
  try {
    assertHostAllowed(allowedHostsOf(hosts ? { hosts } : {}, data), 'acmeApi', url);
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

  test('are any host for a generic type, until its owner restricts it', () => {
    expect(allows({}, 'https://evil.example')).toBe(true);
    expect(allows({ allowedHttpRequestDomains: 'all' }, 'https://evil.example')).toBe(true);
    expect(allows({ allowedHttpRequestDomains: 'none' }, 'https://api.example')).toBe(false);
    expect(allows({ allowedHttpRequestDomains: 'nonsense' }, 'https://api.example')).toBe(false);
    expect(allows({ ...domains('a.example'), allowedDomains: 5 }, 'https://a.example')).toBe(false);
  });

  test('are those of the service for a type that declares them', () => {
    const hosts = ['slack.com'];
    for (const data of [{}, { allowedHttpRequestDomains: 'none' }] as JsonObject[]) {
      expect(allows(data, 'https://slack.com/api', hosts)).toBe(true);
      expect(allows(data, 'https://evil.example', hosts)).toBe(false);
    }
    expect(allows(domains('proxy.example'), 'https://slack.com', hosts)).toBe(false);
    expect(allows(domains('proxy.example'), 'https://proxy.example', hosts)).toBe(true);
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
  });
});
