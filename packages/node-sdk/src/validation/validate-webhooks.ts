import { isRouteSegment } from '@sluice/domain';
import { isExpression } from '../parameters/written-value.ts';
import type { ShapeCheck } from './shape-check.ts';
import { checkRequest } from './validate-routing.ts';

const httpMethods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;
const responseModes = ['onReceived', 'lastNode', 'responseNode'] as const;
const webhookCalls = ['checkExists', 'create', 'delete'] as const;

/** A webhook in a description. */
export function checkWebhook(value: unknown, check: ShapeCheck): void {
  const webhook = check.object(value);
  if (!webhook) return;
  check.at('name').text(webhook['name']);
  if (!isExpression(webhook['responseMode'])) check.at('responseMode').oneOf(webhook['responseMode'], responseModes);
  if (!isExpression(webhook['httpMethod'])) check.at('httpMethod').oneOf(webhook['httpMethod'], httpMethods);
  check.optional(webhook, 'isFullPath', (at, isFull) => at.boolean(isFull));
  const path = check.at('path').text(webhook['path'], /^/, 'a string');
  if (path !== undefined && !isExpression(path) && !isPath(path, webhook['isFullPath'] === true))
    check
      .at('path')
      .wrong('must be words separated by slashes; words may begin with ":", except the first word of a full path');
}

function isPath(path: string, isFull: boolean): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (isFull && (segments.length === 0 || segments[0]?.startsWith(':'))) return false;
  return segments.every(isRouteSegment);
}

/** A webhook's registration at a remote service. */
export function checkWebhookMethods(value: unknown, check: ShapeCheck): void {
  const methods = check.object(value);
  if (methods) for (const name of webhookCalls) check.at(name).function(methods[name]);
}

export function checkHooks(check: ShapeCheck, value: unknown): void {
  const hooks = check.object(value);
  for (const key of ['activate', 'deactivate']) {
    check.optional(hooks ?? {}, key, (at, calls) => at.list(calls, checkHook));
  }
}

function checkHook(value: unknown, check: ShapeCheck): void {
  const hook = check.object(value);
  if (!hook) return;
  check.at('method').oneOf(hook['method'], httpMethods);
  checkRequest(hook['request'], check.at('request'));
}
