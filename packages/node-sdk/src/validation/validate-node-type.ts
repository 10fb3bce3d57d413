import type { ValidationIssue } from '@sluice/domain';
import { connectionTypes } from '../connection-type.ts';
import { iconColors, nodeGroups } from '../description.ts';
import { ShapeCheck } from './shape-check.ts';
import { checkDisplayOptions, checkProperties } from './validate-properties.ts';
import { checkRequest } from './validate-routing.ts';
import { checkHooks, checkWebhook, checkWebhookMethods } from './validate-webhooks.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The functions that make a node type runnable; a type needs at least one of them. */
const abilities = ['execute', 'supply', 'triggers', 'poll', 'trigger', 'webhook', 'versions'] as const;
const functions = ['outputs', 'execute', 'resume', 'supply', 'triggers', 'poll', 'trigger', 'webhook'] as const;
const methodGroups = ['loadOptions', 'listSearch', 'credentialTest', 'resourceMapping', 'actionHandler'] as const;
const groupNames: ReadonlySet<string> = new Set(methodGroups);

/**
 * Lists all problems of a presumed node type, each with its path, such as
 * `/description/properties/2/type`. An empty list means that the value is a `NodeType`. Only the
 * shape is checked; no function of the type is called.
 */
export function validateNodeType(value: unknown): ValidationIssue[] {
  const check = new ShapeCheck();
  checkNodeType(value, check);
  return check.issues;
}

/** Issues on one line: `/description/name must be …; …`. */
export function issueText(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => `${path} ${message}`).join('; ');
}

function checkNodeType(value: unknown, check: ShapeCheck): void {
  const type = check.object(value);
  if (!type) return;
  checkDescription(type['description'], check.at('description'));
  for (const name of functions) check.optional(type, name, (at, member) => at.function(member));
  const description = type['description'] as Fields | undefined;
  const actsByDescription = ['requestDefaults', 'webhooks'].some((name) => description?.[name] !== undefined);
  if (!actsByDescription && abilities.every((name) => type[name] === undefined)) {
    check.wrong(`must have one of ${abilities.join(', ')}, or a description with requestDefaults or webhooks`);
  }
  check.optional(type, 'unsupported', (at, uses) => at.list(uses, checkUnsupportedUse));
  check.optional(type, 'asTool', checkAsTool);
  check.optional(type, 'methods', checkMethods);
  check.optional(type, 'webhookMethods', (at, methods) => at.record(methods, checkWebhookMethods));
  check.optional(type, 'versions', (at, versions) => at.record(versions, checkVersion));
  checkCompleteness(type, check);
}

/** Checks dependencies between members. */
function checkCompleteness(type: Fields, check: ShapeCheck): void {
  const description = (type['description'] ?? {}) as Fields;
  if (description['polling'] === true && type['poll'] === undefined)
    check.at('poll').wrong('is missing: the description sets `polling`');
  checkNamedMembers(type, description, check);
  const versions = type['versions'] as Fields | null | undefined;
  for (const version of versions ? numbersOf(description['version']) : []) {
    if (!versions?.[String(version)])
      check.at('versions').at(String(version)).wrong('is missing: the description lists this version');
  }
}

/** Checks members that refer to each other by name. */
function checkNamedMembers(type: Fields, description: Fields, check: ShapeCheck): void {
  const webhooks = membersOf(description['webhooks']).map(({ name }) => name);
  if (new Set(webhooks).size < webhooks.length) check.at('description').at('webhooks').wrong('must not name a webhook twice');
  for (const name of Object.keys((type['webhookMethods'] ?? {}) as Fields)) {
    if (!webhooks.includes(name)) check.at('webhookMethods').at(name).wrong('is not a webhook in the description');
  }
  if (type['webhook'] !== undefined && webhooks.length === 0)
    check.at('description').at('webhooks').wrong('is missing: the type has a `webhook`');
  const tests = ((type['methods'] as Fields | undefined)?.['credentialTest'] ?? {}) as Fields;
  for (const [index, { testedBy }] of membersOf(description['credentials']).entries()) {
    if (typeof testedBy === 'string' && !Object.hasOwn(tests, testedBy))
      check.at('description').at('credentials').at(index).at('testedBy').wrong('is not a member of methods.credentialTest');
  }
}

function membersOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter((member) => typeof member === 'object' && member !== null) : [];
}

function checkVersion(value: unknown, check: ShapeCheck): void {
  const version = Number(check.key);
  checkNodeType(value, check);
  const versions = numbersOf((value as { description?: Fields } | null)?.description?.['version']);
  if (!versions.includes(version))
    check.at('description').at('version').wrong(`must name the version ${version} that it implements`);
}

function checkUnsupportedUse(value: unknown, check: ShapeCheck): void {
  const use = check.object(value);
  if (!use) return;
  for (const name of ['parameter', 'what', 'hint']) check.at(name).text(use[name]);
  check.optional(use, 'values', (at, values) => at.list(values, () => {}));
  check.optional(use, 'where', (at, where) => at.record(where, (values, inner) => inner.list(values, () => {})));
}

function checkAsTool(check: ShapeCheck, value: unknown): void {
  const tool = check.object(value);
  if (!tool) return;
  checkProperties(tool['properties'], check.at('properties'));
  check.optional(tool, 'execute', (at, member) => at.function(member));
}

function checkMethods(check: ShapeCheck, value: unknown): void {
  check.record(value, (named, at) => {
    if (!groupNames.has(at.key)) at.wrong(`is not a kind of method; allowed: ${methodGroups.join(', ')}`);
    else if (named !== undefined) at.record(named, (member, inner) => inner.function(member));
  });
}

function checkDescription(value: unknown, check: ShapeCheck): void {
  const description = check.object(value);
  if (!description) return;
  check.at('displayName').text(description['displayName']);
  check.at('name').text(description['name'], /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'a name in kebab-case such as my-node');
  check.at('group').list(description['group'], (group, at) => at.oneOf(group, nodeGroups), { atLeast: 1 });
  checkVersionNumbers(description, check);
  for (const side of ['inputs', 'outputs'] as const) {
    check.at(side).list(description[side], (type, at) => at.oneOf(type, connectionTypes));
  }
  checkProperties(description['properties'], check.at('properties'));
  checkOptionalMembers(description, check);
}

function checkVersionNumbers(description: Fields, check: ShapeCheck): void {
  const numbers = numbersOf(description['version']);
  const valid = numbers.length > 0 && numbers.every(isVersion);
  if (!valid) check.at('version').wrong('must be a number above 0, or an array of such numbers');
  if (new Set(numbers).size < numbers.length) check.at('version').wrong('must not list a version twice');
  check.optional(description, 'defaultVersion', (at, chosen) => {
    if (!numbers.includes(chosen)) at.wrong('must be one of the versions');
  });
}

function isVersion(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function numbersOf(version: unknown): readonly unknown[] {
  return version === undefined ? [] : [version].flat();
}

function checkDefaults(check: ShapeCheck, value: unknown): void {
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
  when('description', (at, text) => at.text(text, /^/, 'a string'));
  when('defaults', checkDefaults);
  when('maxNodes', (at, max) => at.positiveInteger(max));
  when('requiredInputs', (at, inputs) => inputs === 'all' || at.positiveInteger(inputs));
  when('polling', (at, polling) => at.boolean(polling));
  when('usableAsTool', (at, usable) => at.boolean(usable));
  when('computesOnly', (at, computesOnly) => at.boolean(computesOnly));
  when('deprecated', (at, deprecated) => at.boolean(deprecated));
  when('subNodes', (at, inputs) => at.list(inputs, checkSubNodeInput));
  when('credentials', (at, credentials) => at.list(credentials, checkCredential));
  when('webhooks', (at, webhooks) => at.list(webhooks, checkWebhook));
  when('hooks', checkHooks);
  when('requestDefaults', (at, request) => checkRequest(request, at));
  when('features', (at, features) => at.record(features, checkFeature));
}

function checkSubNodeInput(value: unknown, check: ShapeCheck): void {
  const input = check.object(value);
  if (!input) return;
  const supplied = connectionTypes.filter((type) => type !== 'main');
  check.at('type').oneOf(input['type'], supplied);
  check.optional(input, 'displayName', (at, name) => at.text(name));
  check.optional(input, 'required', (at, required) => at.boolean(required));
  check.optional(input, 'maxCount', (at, max) => at.positiveInteger(max));
  check.optional(input, 'displayOptions', (at, options) => checkDisplayOptions(options, at));
}

function checkCredential(value: unknown, check: ShapeCheck): void {
  const credential = check.object(value);
  if (!credential) return;
  check.at('name').text(credential['name']);
  check.optional(credential, 'required', (at, required) => at.boolean(required));
  check.optional(credential, 'displayOptions', (at, options) => checkDisplayOptions(options, at));
  check.optional(credential, 'testedBy', (at, name) => at.text(name));
}

function checkFeature(value: unknown, check: ShapeCheck): void {
  if (typeof value === 'boolean') return;
  const condition = check.object(value);
  if (condition) check.at('@version').list(condition['@version'], () => undefined, { atLeast: 1 });
}
