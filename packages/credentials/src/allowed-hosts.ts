import { AppError, type JsonObject, ownProperty, type ValidationIssue } from '@sluice/domain';
import { allowedDomainsField, type CredentialType, domainsModeField, type HttpDestination } from '@sluice/node-sdk';
import { coverageOf, type HostPattern, matchesHost, parseHostPattern } from './host-pattern.ts';

type HostType = Pick<CredentialType, 'hosts'>;

/** Hosts to which a credential may be sent. */
type AllowedHosts = readonly HostPattern[] | 'any';

/**
 * The hosts of a credential, by `allowedHttpRequestDomains`: `domains` allows the hosts in
 * `allowedDomains`, `all` any host, and `none` only the hosts that the type itself declares.
 * Default: the hosts that the type declares, or any host. Fails closed: an unknown setting counts
 * as `none`, and an entry that is not a host allows nothing. Declared hosts are allowed over https
 * only, unless the type declares them with `http://`; hosts listed by the owner are allowed over
 * both.
 */
export function allowedHostsOf(type: HostType | undefined, data: JsonObject): AllowedHosts {
  const mode = ownProperty(data, domainsModeField) ?? '';
  if (mode === 'all') return 'any';
  if (mode === 'domains') return patternsOf(domainsIn(data));
  const { hosts } = type ?? {};
  const declared = typeof hosts === 'function' ? hosts(data) : hosts;
  if (declared) return declared.flatMap(declaredPattern);
  return mode === '' ? 'any' : [];
}

/**
 * Whether the owner chose the allowed hosts. The default hosts that a type declares do not include
 * hosts to which its service redirects file downloads.
 */
export function isRestrictedByOwner(data: JsonObject): boolean {
  const mode = ownProperty(data, domainsModeField) ?? '';
  return mode !== '' && mode !== 'all';
}

/**
 * Throws `CREDENTIAL_HOST_NOT_ALLOWED` for any other host. A proxy has to be an allowed host
 * itself, because it can read http requests. Certificates of https hosts must be verified against
 * the public authorities: otherwise another host could pose as an allowed one.
 */
export function assertHostAllowed(allowed: AllowedHosts, typeName: string, { url, proxy, tls }: HttpDestination): void {
  if (allowed === 'any') return;
  const target = URL.parse(url);
  assertMatches(allowed, typeName, target);
  if (proxy !== undefined) assertMatches(allowed, typeName, URL.parse(proxy.includes('://') ? proxy : `http://${proxy}`));
  if (target?.protocol === 'https:' && (tls?.rejectUnauthorized === false || tls?.ca !== undefined))
    throw hostNotAllowed(typeName, target.host, 'its certificate is not verified by a public authority');
}

function assertMatches(allowed: readonly HostPattern[], typeName: string, url: URL | null): void {
  if (url && allowed.some((pattern) => matchesHost(pattern, url))) return;
  throw hostNotAllowed(
    typeName,
    url?.host ?? '',
    url?.protocol === 'http:' ? 'its allowed hosts do not include it over http' : undefined,
  );
}

/** Whether `after` allows no host that `before` does not. */
export function isNarrower(before: AllowedHosts, after: AllowedHosts): boolean {
  if (before === 'any') return true;
  return after !== 'any' && after.every(coverageOf(before));
}

/** Issues in the host list of credential data. */
export function allowedDomainsIssues(data: JsonObject): ValidationIssue[] {
  if (ownProperty(data, domainsModeField) !== 'domains') return [];
  const domains = domainsIn(data);
  const path = `/${allowedDomainsField}`;
  if (domains.length === 0) return [{ path, message: 'must name at least one host' }];
  const wrong = domains.find((entry) => !parseHostPattern(entry));
  if (wrong === undefined) return [];
  const quoted = JSON.stringify(wrong.slice(0, 100));
  return [{ path, message: `${quoted} is not a host such as api.example.com, *.example.com or example.com:8443` }];
}

function domainsIn(data: JsonObject): string[] {
  const text = ownProperty(data, allowedDomainsField);
  return typeof text === 'string' ? text.split(/[\s,]+/).filter((entry) => entry !== '') : [];
}

/** Hosts of a type are reached over https, unless one of the service's URLs is http. */
function declaredPattern(text: string): HostPattern[] {
  if (text.startsWith('http://')) return patternsOf([text.slice('http://'.length)]);
  return patternsOf([text]).map((pattern) => ({ ...pattern, isSecure: true }));
}

function patternsOf(texts: readonly string[]): HostPattern[] {
  return texts.flatMap((text) => parseHostPattern(text) ?? []);
}

function hostNotAllowed(typeName: string, host: string, reason = 'its allowed hosts do not include it'): AppError {
  return new AppError({
    code: 'CREDENTIAL_HOST_NOT_ALLOWED',
    message: `the ${typeName} credential may not be sent to ${host === '' ? 'this address' : host}: ${reason}`,
    details: { host },
  });
}
