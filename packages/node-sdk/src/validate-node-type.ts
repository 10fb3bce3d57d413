import type { ValidationIssue } from '@sluice/domain';
import type { NodeType } from './context.ts';
import { connectionTypes, iconColors, nodeGroups } from './description.ts';
import { ShapeCheck } from './shape-check.ts';
import { checkDisplayOptions, checkProperties } from './validate-properties.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a node type can do; a type without any of these could never run. */
const abilities = ['execute', 'supply', 'triggers', 'poll', 'trigger', 'versions'] as const;
const functions = ['outputs', 'execute', 'resume', 'supply', 'triggers', 'poll', 'trigger'] as const;
const methodGroups = ['loadOptions', 'listSearch', 'credentialTest', 'resourceMapping', 'actionHandler'] as const;
const webhookCalls = ['checkExists', 'create', 'delete'] as const;

/**
 * Everything that is wrong with what claims to be a node type: where, as a path such as `/description/properties/2/type`, and what. Empty: it is a
 * `NodeType`. Only the shape is looked at; nothing of the type is called.
 */
export function validateNodeType(value: unknown): ValidationIssue[] {
  const check = new ShapeCheck();
  checkNodeType(value, check);
  return check.issues;
}

/** As `validateNodeType`, for a value that has passed it. Throws `TypeError` with all issues. */
export function assertNodeType(value: unknown): asserts value is NodeType {
  const issues = validateNodeType(value);
  if (issues.length > 0) throw new TypeError(issueText(issues));
}

/** Issues as one line: `/description/name must be …; …`. */
export function issueText(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ');
}

function checkNodeType(value: unknown, check: ShapeCheck): void {
  const type = check.object(value);
  if (!type) return;
  checkDescription(type['description'], check.at('description'));
  for (const name of functions) check.optional(type, name, (at, member) => at.function(member));
  const isDeclarative = (type['description'] as Fields | undefined)?.['requestDefaults'] !== undefined;
  if (!isDeclarative && abilities.every((name) => type[name] === undefined)) {
    check.wrong(`must have one of ${abilities.join(', ')}, or a description with requestDefaults`);
  }
  check.optional(type, 'methods', checkMethods);
  check.optional(type, 'webhookMethods', (at, methods) => at.record(methods, checkWebhookMethods));
  check.optional(type, 'versions', (at, versions) => at.record(versions, checkVersion));
  checkCompleteness(type, check);
}

/** What one member promises of another. */
function checkCompleteness(type: Fields, check: ShapeCheck): void {
  const description = (type['description'] ?? {}) as Fields;
  if (description['polling'] === true && type['poll'] === undefined)
    check.at('poll').wrong('is missing: the description says `polling`');
  if (type['versions'] === undefined) return;
  for (const version of numbersOf(description['version'])) {
    if (!(type['versions'] as Fields)[String(version)])
      check.at('versions').at(String(version)).wrong('is missing: the description lists this version');
  }
}

function checkVersion(value: unknown, check: ShapeCheck): void {
  const version = Number(check.path.slice(check.path.lastIndexOf('/') + 1));
  checkNodeType(value, check);
  const own = numbersOf((value as { description?: Fields } | null)?.description?.['version']);
  if (!own.includes(version))
    check.at('description').at('version').wrong(`must name the version ${version} that it implements`);
}

function checkMethods(check: ShapeCheck, value: unknown): void {
  const methods = check.object(value);
  for (const group of methodGroups) {
    check.optional(methods ?? {}, group, (at, named) => at.record(named, (member, inner) => inner.function(member)));
  }
}

function checkWebhookMethods(value: unknown, check: ShapeCheck): void {
  const methods = check.object(value);
  if (methods) for (const name of webhookCalls) check.at(name).function(methods[name]);
}

function checkDescription(value: unknown, check: ShapeCheck): void {
  const description = check.object(value);
  if (!description) return;
  check.at('displayName').text(description['displayName']);
  check.at('name').text(description['name'], /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'a name in kebab-case such as my-node');
  check.at('description').text(description['description'], /^/, 'a text');
  check.at('group').list(description['group'], (group, at) => at.oneOf(group, nodeGroups), { atLeast: 1 });
  checkVersionNumbers(description, check);
  checkDefaults(description['defaults'], check.at('defaults'));
  for (const side of ['inputs', 'outputs'] as const) {
    check.at(side).list(description[side], (type, at) => at.oneOf(type, connectionTypes));
  }
  checkProperties(description['properties'], check.at('properties'));
  checkOptionalMembers(description, check);
}

function checkVersionNumbers(description: Fields, check: ShapeCheck): void {
  const numbers = numbersOf(description['version']);
  const valid = numbers.length > 0 && numbers.every((version) => typeof version === 'number' && version > 0 && version < 1000);
  if (!valid) check.at('version').wrong('must be a number above 0, or an array of such numbers');
  check.optional(description, 'defaultVersion', (at, chosen) => {
    if (!numbers.includes(chosen)) at.wrong('must be one of the versions');
  });
}

function numbersOf(version: unknown): readonly unknown[] {
  return version === undefined ? [] : [version].flat();
}

function checkDefaults(value: unknown, check: ShapeCheck): void {
  const defaults = check.object(value);
  if (defaults) check.at('name').text(defaults['name']);
}

function checkOptionalMembers(description: Fields, check: ShapeCheck): void {
  const when = (key: string, look: (at: ShapeCheck, value: unknown) => void) => check.optional(description, key, look);
  when('icon', (at, icon) =>
    at.text(icon, /^(fa:[\w-]+|file:[\w./-]+\.svg|node:[@\w./-]+)$/, 'fa:<name>, file:<name>.svg or node:<package>.<node>'),
  );
  when('iconColor', (at, color) => at.oneOf(color, iconColors));
  when('subtitle', (at, subtitle) => at.text(subtitle));
  when('maxNodes', (at, max) => at.positiveInteger(max));
  when('requiredInputs', (at, inputs) => inputs === 'all' || at.positiveInteger(inputs));
  when('polling', (at, polling) => at.boolean(polling));
  when('credentials', (at, credentials) => at.list(credentials, checkCredential));
  when('webhooks', (at, webhooks) => at.list(webhooks, checkWebhook));
  when('hooks', checkHooks);
  when('requestDefaults', (at, request) => at.object(request));
  when('features', (at, features) => at.record(features, checkFeature));
}

function checkCredential(value: unknown, check: ShapeCheck): void {
  const credential = check.object(value);
  if (!credential) return;
  check.at('name').text(credential['name']);
  check.optional(credential, 'required', (at, required) => at.boolean(required));
  check.optional(credential, 'displayOptions', (at, options) => checkDisplayOptions(options, at));
}

function checkWebhook(value: unknown, check: ShapeCheck): void {
  const webhook = check.object(value);
  if (!webhook) return;
  for (const key of ['name', 'responseMode', 'path']) check.at(key).text(webhook[key]);
  check.at('httpMethod').oneOf(webhook['httpMethod'], ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']);
}

function checkHooks(check: ShapeCheck, value: unknown): void {
  const hooks = check.object(value);
  for (const key of ['activate', 'deactivate']) {
    check.optional(hooks ?? {}, key, (at, calls) => at.list(calls, checkHook));
  }
}

function checkHook(value: unknown, check: ShapeCheck): void {
  const hook = check.object(value);
  if (!hook) return;
  check.at('method').text(hook['method']);
  check.at('request').object(hook['request']);
}

function checkFeature(value: unknown, check: ShapeCheck): void {
  if (typeof value === 'boolean') return;
  const condition = check.object(value);
  if (condition) check.at('@version').list(condition['@version'], () => undefined, { atLeast: 1 });
}
