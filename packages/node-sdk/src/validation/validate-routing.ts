import type { ValidationIssue } from '@sluice/domain';
import { isExpression } from '../parameters/written-value.ts';
import { ShapeCheck } from './shape-check.ts';

/** Lists the problems of a presumed `Routing`; their paths start with `path`. */
export function routingIssues(value: unknown, path: string): ValidationIssue[] {
  const check = new ShapeCheck(path);
  checkRouting(value, check);
  return check.issues;
}

/** Same as `routingIssues`, for a `RoutingRequest`. */
export function routingRequestIssues(value: unknown, path: string): ValidationIssue[] {
  const check = new ShapeCheck(path);
  checkRequest(value, check);
  return check.issues;
}

export function checkRouting(value: unknown, check: ShapeCheck): void {
  const routing = check.object(value);
  if (!routing) return;
  optional(routing, 'request', check, (at, request) => checkRequest(request, at));
  optional(routing, 'send', check, checkSend);
  optional(routing, 'output', check, checkOutput);
  optional(routing, 'operations', check, (at, operations) =>
    optional(at.object(operations) ?? {}, 'pagination', at, checkPagination),
  );
}

export function checkRequest(value: unknown, check: ShapeCheck): void {
  const request = check.object(value);
  if (!request) return;
  optional(request, 'method', check, (at, method) => at.text(method, /^(=|[\w!#$%&'*+.^`|~-]+$)/, 'an HTTP method'));
  for (const key of ['baseURL', 'url']) optional(request, key, check, (at, text) => at.text(text, /^/, 'a string'));
  for (const key of ['headers', 'qs']) {
    optional(request, key, check, (at, members) => isExpression(members) || at.object(members));
  }
  optional(request, 'body', check, checkBody);
  optional(request, 'timeout', check, (at, ms) => isExpression(ms) || isNumeric(ms) || checkAmount(at, ms));
  optional(request, 'ignoreHttpStatusErrors', check, (at, ignores) => {
    // Community packages may list statuses in an object.
    if (typeof ignores !== 'object') checkFlag(at, ignores);
  });
}

/** Checks a member only if it is present; `null` is treated as absent in routing. */
function optional(fields: Properties, key: string, check: ShapeCheck, look: (at: ShapeCheck, value: unknown) => void): void {
  if (fields[key] !== null) check.optional(fields, key, look);
}

/** Community packages also use lists and strings here; they are treated as no body. */
function checkBody(check: ShapeCheck, body: unknown): void {
  if (typeof body !== 'string' && !Array.isArray(body)) check.object(body);
}

function checkSend(check: ShapeCheck, value: unknown): void {
  const send = check.object(value);
  if (!send) return;
  optional(send, 'type', check, (at, type) => at.oneOf(type, ['body', 'query']));
  optional(send, 'property', check, (at, property) => at.text(property, /^/, 'a string'));
  optional(send, 'propertyInDotNotation', check, (at, isDotted) => at.boolean(isDotted));
  optional(send, 'paginate', check, (at, paginates) => isFlagText(paginates) || checkFlag(at, paginates));
  optional(send, 'preSend', check, (at, calls) => at.list(calls, (call, inner) => inner.function(call)));
}

function checkOutput(check: ShapeCheck, value: unknown): void {
  const output = check.object(value);
  if (!output) return;
  optional(output, 'maxResults', check, checkLimit);
  optional(output, 'postReceive', check, (at, steps) => at.list(steps, checkStep));
}

type Properties = Readonly<Record<string, unknown>>;

/** Required properties of each kind of step. */
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
  optional(step, 'enabled', check, checkFlag);
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
    optional(properties, 'request', at, (inner, request) => checkRequest(request, inner));
    return;
  }
  for (const key of ['limitParameter', 'offsetParameter']) at.at(key).text(properties[key]);
  at.at('pageSize').positiveInteger(properties['pageSize']);
  at.at('type').oneOf(properties['type'], ['body', 'query']);
  optional(properties, 'rootProperty', at, (inner, path) => inner.text(path));
}

function checkFlag(check: ShapeCheck, value: unknown): void {
  if (typeof value !== 'boolean' && !isExpression(value)) check.wrong('must be true, false or an expression');
}

function isFlagText(value: unknown): boolean {
  return value === 'true' || value === 'false';
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim());
}

/** Numeric text is valid, too; the result of an expression is checked when the node runs. */
function checkLimit(check: ShapeCheck, value: unknown): void {
  if (typeof value !== 'string') checkAmount(check, value);
}

function checkAmount(check: ShapeCheck, value: unknown): void {
  const isAmount = typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
  if (!isAmount) check.wrong('must be a number of 0 or more, or an expression');
}
