import type { ValidationIssue } from '@sluice/domain';
import { ShapeCheck } from './shape-check.ts';

/** What is wrong with what claims to be a `Routing`; paths of the issues begin with `path`. */
export function routingIssues(value: unknown, path: string): ValidationIssue[] {
  const check = new ShapeCheck(path);
  checkRouting(value, check);
  return check.issues;
}

/** The same for a `RoutingRequest`. */
export function routingRequestIssues(value: unknown, path: string): ValidationIssue[] {
  const check = new ShapeCheck(path);
  checkRequest(value, check);
  return check.issues;
}

export function checkRouting(value: unknown, check: ShapeCheck): void {
  const routing = check.object(value);
  if (!routing) return;
  check.optional(routing, 'request', (at, request) => checkRequest(request, at));
  check.optional(routing, 'send', checkSend);
  check.optional(routing, 'output', checkOutput);
  check.optional(routing, 'operations', (at, operations) =>
    at.optional(at.object(operations) ?? {}, 'pagination', checkPagination),
  );
}

export function checkRequest(value: unknown, check: ShapeCheck): void {
  const request = check.object(value);
  if (!request) return;
  check.optional(request, 'method', (at, method) => at.text(method, /^(=|[\w!#$%&'*+.^`|~-]+$)/, 'an HTTP method'));
  for (const key of ['baseURL', 'url']) check.optional(request, key, (at, text) => at.text(text, /^/, 'a text'));
  for (const key of ['headers', 'qs', 'body']) {
    check.optional(request, key, (at, members) => isExpression(members) || at.object(members));
  }
  check.optional(request, 'timeout', (at, ms) => isExpression(ms) || checkAmount(at, ms));
  check.optional(request, 'ignoreHttpStatusErrors', (at, ignores) => {
    // Packages of the community may name statuses in an object.
    if (typeof ignores !== 'object') checkFlag(at, ignores);
  });
}

function checkSend(check: ShapeCheck, value: unknown): void {
  const send = check.object(value);
  if (!send) return;
  check.optional(send, 'type', (at, type) => at.oneOf(type, ['body', 'query']));
  check.optional(send, 'property', (at, property) => at.text(property));
  check.optional(send, 'propertyInDotNotation', (at, isDotted) => at.boolean(isDotted));
  check.optional(send, 'paginate', checkFlag);
  check.optional(send, 'preSend', (at, calls) => at.list(calls, (call, inner) => inner.function(call)));
}

function checkOutput(check: ShapeCheck, value: unknown): void {
  const output = check.object(value);
  if (!output) return;
  check.optional(output, 'maxResults', checkLimit);
  check.optional(output, 'postReceive', (at, steps) => at.list(steps, checkStep));
}

type Properties = Readonly<Record<string, unknown>>;

/** What each kind of step has to be told. */
const steps: Readonly<Record<string, (properties: Properties, check: ShapeCheck) => void>> = {
  rootProperty: ({ property }, check) => check.at('property').text(property),
  filter: ({ pass }, check) => checkFlag(check.at('pass'), pass),
  limit: ({ maxResults }, check) => checkLimit(check.at('maxResults'), maxResults),
  set: ({ value }, check) => value === undefined && check.at('value').wrong('is missing'),
  setKeyValue: () => undefined,
  sort: ({ key }, check) => check.at('key').text(key),
  binaryData: ({ destinationProperty }, check) => check.at('destinationProperty').text(destinationProperty),
};

function checkStep(value: unknown, check: ShapeCheck): void {
  if (typeof value === 'function') return;
  const step = check.object(value);
  if (!step) return;
  check.optional(step, 'enabled', checkFlag);
  const type = check.at('type').oneOf(step['type'], Object.keys(steps));
  const properties = type !== undefined && check.at('properties').object(step['properties']);
  if (properties) steps[type]?.(properties, check.at('properties'));
}

function checkPagination(check: ShapeCheck, value: unknown): void {
  if (typeof value === 'function') return;
  const pagination = check.object(value);
  if (!pagination) return;
  const type = check.at('type').oneOf(pagination['type'], ['offset', 'generic'] as const);
  const at = check.at('properties');
  const properties = type && at.object(pagination['properties']);
  if (!properties) return;
  if (type === 'generic') {
    checkFlag(at.at('continue'), properties['continue']);
    checkRequest(properties['request'], at.at('request'));
    return;
  }
  for (const key of ['limitParameter', 'offsetParameter']) at.at(key).text(properties[key]);
  at.at('pageSize').positiveInteger(properties['pageSize']);
  at.at('type').oneOf(properties['type'], ['body', 'query']);
  at.optional(properties, 'rootProperty', (inner, path) => inner.text(path));
}

/** Worked out when the node runs. */
export function isExpression(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('=');
}

function checkFlag(check: ShapeCheck, value: unknown): void {
  if (typeof value !== 'boolean' && !isExpression(value)) check.wrong('must be true, false or an expression');
}

/** A number as text is one, too. */
function checkLimit(check: ShapeCheck, value: unknown): void {
  if (typeof value !== 'string' || value === '') checkAmount(check, value);
}

function checkAmount(check: ShapeCheck, value: unknown): void {
  const isAmount = typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
  if (!isAmount) check.wrong('must be a number of 0 or more, or an expression');
}
