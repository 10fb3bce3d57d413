import type { JsonObject } from '@sluice/domain';
import { findLostProperties, findNarrowing } from './schema-changes.ts';

/** A change that may break a correct client. */
interface BreakingChange {
  /** ID in the older document. */
  operationId: string;
  change: string;
}

interface Operation {
  operationId: string;
  'x-required-scope'?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}

type Content = Record<string, { schema: JsonObject }>;
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: JsonObject;
}

/**
 * The compared part of an OpenAPI document. References point to `components/schemas` or to an error
 * response.
 */
export interface ApiDocument {
  paths: Record<string, Partial<Record<string, Operation>>>;
  components?: object;
}

interface Side {
  operation: Operation;
  document: JsonObject;
}

/** Finds requests and responses that `before` allows and `after` does not. */
export function findBreakingChanges(before: ApiDocument, after: ApiDocument): BreakingChange[] {
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!operation) return [];
      const now = after.paths[path]?.[method];
      const changes = now
        ? changesOf(sideOf(operation, before), sideOf(now, after))
        : [`${method.toUpperCase()} ${path} was removed`];
      return changes.map((change) => ({ operationId: operation.operationId, change }));
    }),
  );
}

function sideOf(operation: Operation, document: ApiDocument): Side {
  return { operation, document: document as unknown as JsonObject };
}

function changesOf(before: Side, after: Side): string[] {
  return [
    ...nameChanges(before.operation, after.operation),
    ...parameterChanges(before, after),
    ...bodyChanges(before, after),
    ...responseChanges(before, after),
  ];
}

function nameChanges(before: Operation, after: Operation): string[] {
  const [scope, needed] = [before['x-required-scope'], after['x-required-scope']];
  return [
    ...(before.operationId === after.operationId ? [] : [`was renamed to ${after.operationId}`]),
    ...(scope === needed ? [] : [`requires the scope ${needed} instead of ${scope}`]),
  ];
}

function parameterChanges(before: Side, after: Side): string[] {
  const [old = [], now = []] = [before.operation.parameters, after.operation.parameters];
  const counterpart = (all: readonly Parameter[], { name, in: where }: Parameter) =>
    all.find((candidate) => candidate.name === name && candidate.in === where);
  const added = now.filter((parameter) => parameter.required && !counterpart(old, parameter)?.required);
  const changes = old.flatMap((parameter) => {
    const same = counterpart(now, parameter);
    if (!same) return [`the parameter ${parameter.name} was removed`];
    const problems = findNarrowing({ ...before, schema: parameter.schema }, { ...after, schema: same.schema });
    return problems.map((problem) => `the parameter ${parameter.name}: ${problem}`);
  });
  return [...added.map(({ name }) => `the parameter ${name} is required`), ...changes];
}

function bodyChanges(before: Side, after: Side): string[] {
  const [old, now] = [before.operation.requestBody, after.operation.requestBody];
  const required = now?.required && !old?.required ? ['a body is required'] : [];
  if (!old) return required;
  if (!now) return ['no longer accepts a body'];
  return [
    ...required,
    ...contentChanges(old.content, now.content, (was, is) =>
      findNarrowing({ ...before, schema: was }, { ...after, schema: is }),
    ),
    ...contentChanges(old.content, now.content, (was, is) => lostProperties(before, was, after, is)),
  ].map((change) => `the body: ${change}`);
}

function responseChanges(before: Side, after: Side): string[] {
  const successes = Object.entries(before.operation.responses).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, { content: was = {} }]) => {
    const now = after.operation.responses[status];
    if (!now) return [`no longer returns ${status}`];
    const { content: is = {} } = now;
    const changes = [
      ...contentChanges(was, is, (old, current) => findNarrowing({ ...after, schema: current }, { ...before, schema: old })),
      ...contentChanges(was, is, (old, current) => lostProperties(before, old, after, current)),
    ];
    return changes.map((change) => `the response ${status}: ${change}`);
  });
}

function lostProperties(before: Side, was: JsonObject, after: Side, is: JsonObject): string[] {
  return findLostProperties({ ...before, schema: was }, { ...after, schema: is }).map((path) => `${path} was removed`);
}

function contentChanges(was: Content, is: Content, compare: (was: JsonObject, is: JsonObject) => string[]): string[] {
  return Object.entries(was).flatMap(([type, { schema }]) => {
    const same = is[type];
    return same ? compare(schema, same.schema) : [`${type} was removed`];
  });
}

/** Finds changes to operations that no changeset names in backticks. */
export function findUnnamed(changes: readonly BreakingChange[], summaries: readonly string[]): BreakingChange[] {
  return changes.filter(({ operationId }) => !summaries.some((summary) => summary.includes(`\`${operationId}\``)));
}
