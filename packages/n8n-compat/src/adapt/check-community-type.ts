import { errorMessage, type ValidationIssue } from '@sluice/domain';
import { routingIssues, routingRequestIssues } from '@sluice/node-sdk';

type Fields = Readonly<Record<string, unknown>>;

/**
 * An object of a package with its path. Collects problems, such as a member that throws when it is
 * read.
 */
class Subject {
  readonly path: string;
  readonly #fields: Fields;
  readonly #issues: ValidationIssue[];

  constructor(fields: Fields, path: string, issues: ValidationIssue[]) {
    this.#fields = fields;
    this.path = path;
    this.#issues = issues;
  }

  /** `undefined`, and a problem, if the value is not an object. */
  static of(value: unknown, path: string, issues: ValidationIssue[]): Subject | undefined {
    if (isObject(value)) return new Subject(value, path, issues);
    issues.push({ path: path || '/', message: 'must be an object' });
    return undefined;
  }

  /** A problem of the object or of one of its members. */
  wrong(message: string, key?: string): void {
    this.#issues.push({ path: key === undefined ? this.path || '/' : `${this.path}/${key}`, message });
  }

  add(issues: readonly ValidationIssue[]): void {
    for (const issue of issues) this.#issues.push(issue);
  }

  member(key: string): unknown {
    try {
      return this.#fields[key];
    } catch (error) {
      this.wrong(`throws when it is read: ${errorMessage(error)}`, key);
      return undefined;
    }
  }

  /** A value of the object as a subject; `undefined`, and a problem, if it is not an object. */
  inner(value: unknown, key: string): Subject | undefined {
    return Subject.of(value, `${this.path}/${key}`, this.#issues);
  }

  /** The objects of a list in the member `key`. */
  elements(list: readonly unknown[], key: string): Subject[] {
    return list.flatMap((value, index) => this.inner(value, `${key}/${index}`) ?? []);
  }

  text(key: string, pattern = /./s, expected = 'a string that is not empty'): void {
    const value = this.member(key);
    if (typeof value !== 'string' || !pattern.test(value)) this.wrong(`must be ${expected}`, key);
  }

  optional(key: string, kind: 'object' | 'function' | 'string' | 'boolean'): unknown {
    return this.#optional(key, kind);
  }

  optionalList(key: string): readonly unknown[] {
    return (this.#optional(key, 'array') ?? []) as unknown[];
  }

  #optional(key: string, kind: string): unknown {
    const value = this.member(key);
    if (value === undefined || value === null) return undefined;
    const actual = Array.isArray(value) ? 'array' : typeof value;
    if (actual === kind) return value;
    this.wrong(`must be ${kind === 'array' || kind === 'object' ? 'an' : 'a'} ${kind}`, key);
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

/**
 * Lists all problems of a presumed community node type, by field, without calling it. An empty list
 * means that the type can be adapted.
 */
export function checkCommunityNodeType(value: unknown): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const type = Subject.of(value, '', issues);
  if (type) checkNodeType(type);
  return issues;
}

/** Same as `checkCommunityNodeType`, for a credential type. */
export function checkCommunityCredentialType(value: unknown): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const type = Subject.of(value, '', issues);
  if (!type) return issues;
  type.text('name', /^[A-Za-z][A-Za-z0-9]*$/, 'a name of letters and digits such as myServiceApi');
  type.text('displayName');
  for (const [index, name] of type.optionalList('extends').entries())
    if (typeof name !== 'string') type.wrong('must be a string', `extends/${index}`);
  checkProperties(type.member('properties'), type, 'properties', { levels: maxLevels, runsRouting: false });
  type.optional('preAuthentication', 'function');
  return issues;
}

function checkNodeType(type: Subject): void {
  const versions = type.member('nodeVersions');
  if (versions === undefined) checkOneVersion(type);
  else checkVersions(versions, type);
}

function checkOneVersion(type: Subject): void {
  const description = type.inner(type.member('description'), 'description');
  if (!description) return;
  const functionNames = functions.filter((name) => type.optional(name, 'function') !== undefined);
  checkDescription(description, !functionNames.some((name) => runInPlace.has(name)));
  // Polls and listeners may declare polling, too.
  const isSource = functionNames.includes('poll') || functionNames.includes('trigger');
  if (description.member('polling') === true && !isSource) type.wrong('is missing: the description sets `polling`', 'poll');
  type.optional('methods', 'object');
  type.optional('webhookMethods', 'object');
  const custom = type.optional('customOperations', 'object');
  const isDeclarative = description.member('requestDefaults') !== undefined || custom !== undefined;
  if (functionNames.length === 0 && !isDeclarative && !hasRouting(description.member('properties')))
    type.wrong(`must have one of ${functions.join(', ')}, or a description with requestDefaults`);
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

function checkVersions(value: unknown, type: Subject): void {
  const names = isObject(value) ? Object.keys(value) : [];
  if (names.length === 0) {
    type.wrong('must be an object with a version', 'nodeVersions');
    return;
  }
  const versions = type.inner(value, 'nodeVersions');
  for (const name of names) {
    if (Number.isNaN(Number(name))) versions?.wrong('must have a number as its name', name);
    const version = versions?.inner(versions.member(name), name);
    if (version) checkNodeType(version);
  }
}

function checkDescription(description: Subject, runsRouting: boolean): void {
  description.text('displayName');
  description.text('name', /^[A-Za-z][A-Za-z0-9_-]*$/, 'a name such as myNode');
  const numbers = [description.member('version')].flat();
  if (numbers.length === 0 || !numbers.every((number) => typeof number === 'number' && number > 0 && Number.isFinite(number)))
    description.wrong('must be a number above 0, or an array of such numbers', 'version');
  description.optionalList('group');
  const credentials = description.elements(description.optionalList('credentials'), 'credentials');
  for (const credential of credentials) credential.text('name');
  for (const webhook of description.elements(description.optionalList('webhooks'), 'webhooks'))
    for (const key of ['name', 'httpMethod', 'responseMode', 'path']) webhook.optional(key, 'string');
  description.optional('defaults', 'object');
  if (runsRouting) checkRequests(description);
  description.optional('polling', 'boolean');
  checkProperties(description.member('properties'), description, 'properties', { levels: maxLevels, runsRouting });
}

/** Checks the request settings of a declarative type. */
function checkRequests(description: Subject): void {
  const { path } = description;
  const defaults = description.optional('requestDefaults', 'object');
  if (defaults !== undefined) description.add(routingRequestIssues(defaults, `${path}/requestDefaults`));
  const operations = description.optional('requestOperations', 'object');
  for (const issue of operations === undefined ? [] : routingIssues({ operations }, ''))
    description.wrong(issue.message, issue.path.replace(/^\/operations/, 'requestOperations'));
}

interface Checking {
  /** Number of levels of parameters that may still follow. */
  levels: number;
  /** Whether to check routing. */
  runsRouting: boolean;
}

function checkProperties(value: unknown, holder: Subject, key: string, { levels, runsRouting }: Checking): void {
  if (!Array.isArray(value)) holder.wrong('must be an array', key);
  else if (levels === 0) holder.wrong(`is nested deeper than ${maxLevels} levels`, key);
  else for (const property of holder.elements(value, key)) checkProperty(property, { levels: levels - 1, runsRouting });
}

function checkProperty(property: Subject, checking: Checking): void {
  property.text('name', ...keyPattern);
  property.text('type');
  const displayOptions = property.optional('displayOptions', 'object');
  property.optional('typeOptions', 'object');
  checkRouting(property, checking);
  if (displayOptions !== undefined) checkDisplayOptions(displayOptions, property);
  const options = property.optionalList('options');
  const type = property.member('type');
  if (type === 'collection') checkProperties(options, property, 'options', checking);
  if (type === 'options' || type === 'multiOptions')
    for (const choice of property.elements(options, 'options')) checkRouting(choice, checking);
  if (type === 'fixedCollection')
    for (const group of property.elements(options, 'options')) {
      group.text('name', ...keyPattern);
      checkProperties(group.member('values'), group, 'values', checking);
    }
}

/** The format of our own declarative types, whose routing runs. */
function checkRouting(subject: Subject, { runsRouting }: Checking): void {
  const routing = subject.member('routing') ?? undefined;
  if (runsRouting && routing !== undefined) subject.add(routingIssues(routing, `${subject.path}/routing`));
}

function checkDisplayOptions(value: unknown, property: Subject): void {
  const options = property.inner(value, 'displayOptions');
  for (const side of ['show', 'hide']) {
    const conditions = options?.optional(side, 'object');
    for (const [name, values] of Object.entries((conditions ?? {}) as Fields))
      if (values !== undefined && !Array.isArray(values)) options?.wrong('must be an array', `${side}/${name}`);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
