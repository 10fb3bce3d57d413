import { errorMessage, type ValidationIssue } from '@sluice/domain';
import { routingIssues, routingRequestIssues } from '@sluice/node-sdk';

type Fields = Readonly<Record<string, unknown>>;

/** Collects problems. A member that throws when read is a problem, too. */
class Look {
  readonly issues: ValidationIssue[] = [];

  member(of: Fields, key: string, path: string): unknown {
    try {
      return of[key];
    } catch (error) {
      this.wrong(`${path}/${key}`, `throws when it is read: ${errorMessage(error)}`);
      return undefined;
    }
  }

  wrong(path: string, message: string): void {
    this.issues.push({ path, message });
  }

  add(issues: readonly ValidationIssue[]): void {
    for (const issue of issues) this.issues.push(issue);
  }

  /** The objects of an optional array, each with its path. */
  objects(of: Fields, key: string, path: string): [Fields, string][] {
    const list = (this.optional(of, key, path, 'array') ?? []) as unknown[];
    return list.flatMap((value, index): [Fields, string][] => {
      const at = `${path}/${key}/${index}`;
      if (isObject(value)) return [[value, at]];
      this.wrong(at, 'must be an object');
      return [];
    });
  }

  text(of: Fields, key: string, path: string, pattern = /./s, expected = 'a string that is not empty'): void {
    const value = this.member(of, key, path);
    if (typeof value !== 'string' || !pattern.test(value)) this.wrong(`${path}/${key}`, `must be ${expected}`);
  }

  optional(of: Fields, key: string, path: string, kind: 'object' | 'array' | 'function' | 'string' | 'boolean'): unknown {
    const value = this.member(of, key, path);
    if (value === undefined || value === null) return undefined;
    const actual = Array.isArray(value) ? 'array' : typeof value;
    if (actual === kind) return value;
    this.wrong(`${path}/${key}`, `must be ${kind === 'array' || kind === 'object' ? 'an' : 'a'} ${kind}`);
    return undefined;
  }
}

/** Maximum nesting of parameters; anything deeper is a description that contains itself. */
const maxLevels = 20;
/** Parameter names become members of an object. */
const keyPattern = [/^(?!__proto__$)./s, 'a string that is not empty, and not __proto__'] as const;
const functions = ['execute', 'poll', 'trigger', 'webhook', 'supplyData'];
/** A type with one of these never runs its routing. */
const runInPlace: ReadonlySet<string> = new Set(['execute', 'poll', 'trigger', 'webhook']);

/** `look` receives problems; `runsRouting`: whether to check routing. */
interface Checking {
  look: Look;
  runsRouting: boolean;
}

/**
 * Lists all problems of a presumed community node type, by field, without calling it. An empty list
 * means that the type can be adapted.
 */
export function checkCommunityNodeType(value: unknown): ValidationIssue[] {
  const look = new Look();
  checkNodeType(value, look, '');
  return look.issues;
}

/** Same as `checkCommunityNodeType`, for a credential type. */
export function checkCommunityCredentialType(value: unknown): ValidationIssue[] {
  const look = new Look();
  if (!isObject(value)) return [{ path: '/', message: 'must be an object' }];
  look.text(value, 'name', '', /^[A-Za-z][A-Za-z0-9]*$/, 'a name of letters and digits such as myServiceApi');
  look.text(value, 'displayName', '');
  const names = look.optional(value, 'extends', '', 'array');
  for (const [index, name] of ((names ?? []) as unknown[]).entries())
    if (typeof name !== 'string') look.wrong(`/extends/${index}`, 'must be a string');
  checkProperties(look.member(value, 'properties', ''), { look, runsRouting: false }, '/properties', maxLevels);
  look.optional(value, 'preAuthentication', '', 'function');
  return look.issues;
}

function checkNodeType(value: unknown, look: Look, path: string): void {
  if (!isObject(value)) {
    look.wrong(path || '/', 'must be an object');
    return;
  }
  const versions = look.member(value, 'nodeVersions', path);
  if (versions !== undefined) {
    checkVersions(versions, look, `${path}/nodeVersions`);
    return;
  }
  const description = look.member(value, 'description', path);
  if (!isObject(description)) {
    look.wrong(`${path}/description`, 'must be an object');
    return;
  }
  const functionNames = functions.filter((name) => look.optional(value, name, path, 'function') !== undefined);
  checkDescription(
    description,
    { look, runsRouting: !functionNames.some((name) => runInPlace.has(name)) },
    `${path}/description`,
  );
  // Polls and listeners may declare polling, too.
  const isSource = functionNames.includes('poll') || functionNames.includes('trigger');
  if (look.member(description, 'polling', `${path}/description`) === true && !isSource)
    look.wrong(`${path}/poll`, 'is missing: the description sets `polling`');
  look.optional(value, 'methods', path, 'object');
  look.optional(value, 'webhookMethods', path, 'object');
  const custom = look.optional(value, 'customOperations', path, 'object');
  const isDeclarative =
    look.member(description, 'requestDefaults', `${path}/description`) !== undefined || custom !== undefined;
  if (
    functionNames.length === 0 &&
    !isDeclarative &&
    !hasRouting(look.member(description, 'properties', `${path}/description`))
  )
    look.wrong(path || '/', `must have one of ${functions.join(', ')}, or a description with requestDefaults`);
}

function hasRouting(properties: unknown): boolean {
  return Array.isArray(properties) && /"routing":/.test(acyclicJson(properties));
}

/** The JSON of a value that may contain itself; each object is written once. */
function acyclicJson(value: unknown): string {
  const seen = new WeakSet<object>();
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    if (seen.has(member)) return undefined;
    seen.add(member);
    return member;
  });
}

function checkVersions(value: unknown, look: Look, path: string): void {
  if (!isObject(value) || Object.keys(value).length === 0) {
    look.wrong(path, 'must be an object with a version');
    return;
  }
  for (const key of Object.keys(value)) {
    if (Number.isNaN(Number(key))) look.wrong(`${path}/${key}`, 'must have a number as its name');
    checkNodeType(look.member(value, key, path), look, `${path}/${key}`);
  }
}

function checkDescription(description: Fields, checking: Checking, path: string): void {
  const { look } = checking;
  look.text(description, 'displayName', path);
  look.text(description, 'name', path, /^[A-Za-z][A-Za-z0-9_-]*$/, 'a name such as myNode');
  const version = look.member(description, 'version', path);
  const numbers = [version].flat();
  if (numbers.length === 0 || !numbers.every((number) => typeof number === 'number' && number > 0 && Number.isFinite(number)))
    look.wrong(`${path}/version`, 'must be a number above 0, or an array of such numbers');
  look.optional(description, 'group', path, 'array');
  const credentials = look.objects(description, 'credentials', path);
  for (const [credential, at] of credentials) look.text(credential, 'name', at);
  for (const [webhook, at] of look.objects(description, 'webhooks', path))
    for (const key of ['name', 'httpMethod', 'responseMode', 'path']) look.optional(webhook, key, at, 'string');
  look.optional(description, 'defaults', path, 'object');
  if (checking.runsRouting) checkRequests(description, look, path);
  look.optional(description, 'polling', path, 'boolean');
  checkProperties(look.member(description, 'properties', path), checking, `${path}/properties`, maxLevels);
}

/** Checks the request settings of a declarative type. */
function checkRequests(description: Fields, look: Look, path: string): void {
  const defaults = look.optional(description, 'requestDefaults', path, 'object');
  if (defaults !== undefined) look.add(routingRequestIssues(defaults, `${path}/requestDefaults`));
  const operations = look.optional(description, 'requestOperations', path, 'object');
  for (const issue of operations === undefined ? [] : routingIssues({ operations }, ''))
    look.wrong(issue.path.replace(/^\/operations/, `${path}/requestOperations`), issue.message);
}

function checkProperties(value: unknown, checking: Checking, path: string, levels: number): void {
  const { look } = checking;
  if (!Array.isArray(value)) {
    look.wrong(path, 'must be an array');
    return;
  }
  if (levels === 0) {
    look.wrong(path, `is nested deeper than ${maxLevels} levels`);
    return;
  }
  for (const [index, property] of value.entries()) checkProperty(property, checking, `${path}/${index}`, levels - 1);
}

function checkProperty(value: unknown, checking: Checking, path: string, levels: number): void {
  const { look } = checking;
  if (!isObject(value)) {
    look.wrong(path, 'must be an object');
    return;
  }
  look.text(value, 'name', path, ...keyPattern);
  look.text(value, 'type', path);
  for (const key of ['displayOptions', 'typeOptions']) look.optional(value, key, path, 'object');
  checkRouting(value, checking, path);
  const displayOptions = look.member(value, 'displayOptions', path);
  if (isObject(displayOptions)) checkDisplayOptions(displayOptions, look, `${path}/displayOptions`);
  const options = look.optional(value, 'options', path, 'array') as unknown[] | undefined;
  const type = look.member(value, 'type', path);
  if (type === 'options' || type === 'multiOptions') checkChoices(options ?? [], checking, `${path}/options`);
  if (type === 'collection') checkProperties(options ?? [], checking, `${path}/options`, levels);
  if (type !== 'fixedCollection') return;
  for (const [index, group] of (options ?? []).entries()) {
    if (!isObject(group)) look.wrong(`${path}/options/${index}`, 'must be an object');
    else {
      look.text(group, 'name', `${path}/options/${index}`, ...keyPattern);
      checkProperties(look.member(group, 'values', path), checking, `${path}/options/${index}/values`, levels);
    }
  }
}

function checkChoices(choices: readonly unknown[], checking: Checking, path: string): void {
  for (const [index, choice] of choices.entries()) {
    if (!isObject(choice)) checking.look.wrong(`${path}/${index}`, 'must be an object');
    else checkRouting(choice, checking, `${path}/${index}`);
  }
}

/** The format of our own declarative types, whose routing runs. */
function checkRouting(of: Fields, { look, runsRouting }: Checking, path: string): void {
  const routing = look.member(of, 'routing', path) ?? undefined;
  if (runsRouting && routing !== undefined) look.add(routingIssues(routing, `${path}/routing`));
}

function checkDisplayOptions(options: Fields, look: Look, path: string): void {
  for (const side of ['show', 'hide']) {
    const conditions = look.optional(options, side, path, 'object');
    for (const [name, values] of Object.entries((conditions ?? {}) as Fields))
      if (values !== undefined && !Array.isArray(values)) look.wrong(`${path}/${side}/${name}`, 'must be an array');
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
