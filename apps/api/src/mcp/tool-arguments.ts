import { type JsonObject, type JsonValue, ownProperty, TimeSlice, ValidationError, type ValidationIssue } from '@sluice/domain';
import { cutMark } from './fit-json.ts';
import type { Tool, ToolParameter } from './tools.ts';

/** Parts of a request for a route. */
interface RouteInput {
  params: Record<string, string>;
  query: Record<string, JsonValue>;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: JsonObject | undefined;
}

/**
 * Splits a tool's arguments into the parts of a request. Throws `ValidationError` if they cannot
 * form a request; the route checks everything else.
 */
export function toRouteInput(tool: Pick<Tool, 'route' | 'parameters'>, args: JsonObject): RouteInput {
  const { route, parameters } = tool;
  const issues = parameters.flatMap((parameter) => problemOf(parameter, valueIn(parameter, args)));
  const argumentNames = new Set(parameters.map(({ argument }) => argument));
  const rest = Object.entries(args).filter(([name]) => !argumentNames.has(name));
  if (!route.body) issues.push(...rest.slice(0, maxIssues).map(([name]) => unknownArgument(name, argumentNames)));
  if (issues.length > 0) throw new ValidationError('the arguments are not valid', issues);
  const argumentsAt = (place: ToolParameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === place && valueIn(parameter, args) !== undefined)
      .map((parameter): [string, string] => [parameter.name, String(valueIn(parameter, args))]);
  return {
    params: Object.fromEntries(argumentsAt('path')),
    query: Object.fromEntries(argumentsAt('query')),
    headers: new Map(argumentsAt('header').map(([name, value]) => [name.toLowerCase(), value])),
    body: route.body && Object.fromEntries(rest.filter(([name, value]) => value !== null || takesNull(route.body, name))),
  };
}

const maxIssues = 20;

/** Models send null for omitted arguments. */
function valueIn({ argument }: ToolParameter, args: JsonObject): JsonValue | undefined {
  return ownProperty(args, argument) ?? undefined;
}

function takesNull(body: Tool['route']['body'], name: string): boolean {
  const { properties = {} } = (body ?? {}) as { properties?: Record<string, { type?: string | string[] }> };
  return [ownProperty(properties, name)?.type].flat().includes('null');
}

function problemOf({ argument, in: place, schema }: ToolParameter, value: JsonValue | undefined): ValidationIssue[] {
  const path = `/${argument}`;
  if (value === undefined || value === '') return place === 'path' ? [{ path, message: 'is required' }] : [];
  if (typeof value === 'object') return [{ path, message: `must be ${String(schema['type'] ?? 'string')}` }];
  return typeof value === 'string' && !value.isWellFormed() ? [{ path, message: 'must be well-formed text' }] : [];
}

const maxNameLength = 128;

function unknownArgument(name: string, argumentNames: ReadonlySet<string>): ValidationIssue {
  const message = `is not an argument of this tool; its arguments are ${[...argumentNames].join(', ')}`;
  return { path: `/${name.slice(0, maxNameLength)}`, message };
}

/** Refuses values that were cut for a model: they must not replace the complete value. */
export async function assertWhole(args: JsonObject): Promise<void> {
  const open: JsonValue[] = [args];
  const slice = new TimeSlice();
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (slice.isOver) await slice.next();
    if (typeof value === 'string' && cutMark.test(value)) {
      const message = `contains ${JSON.stringify(cutMark.exec(value)?.[0])}: it was cut in the result of a tool, and is not complete`;
      throw new ValidationError('the arguments are not valid', [{ path: '', message }]);
    }
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
}
