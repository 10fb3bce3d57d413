import type { ValidationIssue } from '@sluice/domain';
import { ShapeCheck } from '../validation/shape-check.ts';
import { checkProperties } from '../validation/validate-properties.ts';
import { fieldsNamedBy } from './authentication.ts';

/**
 * Same as `validateNodeType`, for the definition of a credential type. An empty list means that the
 * value is a `CredentialTypeDefinition`.
 */
export function validateCredentialType(value: unknown): ValidationIssue[] {
  const check = new ShapeCheck();
  const type = check.object(value);
  if (!type) return check.issues;
  check.at('name').text(type['name'], /^[A-Za-z][A-Za-z0-9]*$/, 'a name of letters and digits such as myServiceApi');
  check.at('displayName').text(type['displayName']);
  checkProperties(type['properties'], check.at('properties'));
  check.optional(type, 'documentation', (at, url) => at.text(url, /^https?:\/\//, 'a URL'));
  check.optional(type, 'extends', (at, names) => at.list(names, (name, inner) => inner.text(name)));
  check.optional(type, 'authenticate', (at, template) => checkAuthenticate(at, template, fieldsOf(type)));
  check.optional(type, 'hosts', (at, hosts) => {
    if (typeof hosts !== 'function') at.list(hosts, (host, inner) => inner.text(host));
  });
  for (const name of ['answerChallenge', 'complete', 'problemOf', 'test'])
    check.optional(type, name, (at, member) => at.function(member));
  checkMembers(type, 'renewal', ['isDue', 'renew'], check);
  checkMembers(type, 'consent', ['begin', 'complete'], check);
  checkMembers(type, 'revocation', ['revoke'], check);
  checkMembers(type, 'preAuthentication', ['obtain'], check);
  check.optional(type, 'preAuthentication', (at, value) => {
    at.at('validForMs').positiveInteger((value as { validForMs?: unknown } | null)?.validForMs);
  });
  return check.issues;
}

function checkMembers(type: Readonly<Record<string, unknown>>, key: string, names: readonly string[], check: ShapeCheck): void {
  check.optional(type, key, (at, value) => {
    const members = at.object(value);
    if (members) for (const name of names) at.at(name).function(members[name]);
  });
}

/** Fields that a template may name; `undefined` if a parent or the type itself may add others. */
function fieldsOf(type: Readonly<Record<string, unknown>>): ReadonlySet<unknown> | undefined {
  const adds = ['extends', 'renewal', 'preAuthentication', 'consent', 'complete'].some((name) => type[name] !== undefined);
  const { properties } = type;
  return adds || !Array.isArray(properties) ? undefined : new Set(properties.map((property) => property?.name));
}

function checkAuthenticate(check: ShapeCheck, value: unknown, fields: ReadonlySet<unknown> | undefined): void {
  if (typeof value === 'function') return;
  const template = check.object(value);
  if (!template) return;
  const checkText = (value: unknown, inner: ShapeCheck) => {
    const text = inner.text(value, /^/, 'a string');
    const unknown = fieldsNamedBy(`${inner.key} ${text}`).find((field) => fields && !fields.has(field));
    if (unknown !== undefined) inner.wrong(`names the field ${unknown}, which is not among the properties`);
  };
  for (const part of ['headers', 'query', 'body']) check.optional(template, part, (at, pairs) => at.record(pairs, checkText));
  check.optional(template, 'basic', (at, value) => {
    const basic = at.object(value);
    if (basic) for (const part of ['user', 'password']) checkText(basic[part], at.at(part));
  });
}
