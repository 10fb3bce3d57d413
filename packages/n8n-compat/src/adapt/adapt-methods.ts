import { isJsonObject, type JsonValue } from '@sluice/domain';
import {
  type CredentialTestResult,
  type MethodContext,
  type NodeMethods,
  NodeOperationError,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import type { CommunityFunction, CommunityNodeType, RunningType } from '../community-types.ts';
import { staticPart } from '../context/static-data.ts';
import { callOutsideRun, type OutsideRunCall } from './call-outside-run.ts';
import { credentialHelpers } from './credential-helpers.ts';

/**
 * Methods outside of runs, with the context that packages expect. Unknown kinds of methods are
 * dropped.
 */
export function adaptMethods(type: CommunityNodeType): NodeMethods | undefined {
  const { loadOptions, listSearch, resourceMapping, actionHandler, credentialTest } = type.methods ?? {};
  const calling = (functions: Record<string, CommunityFunction> | undefined) =>
    mapped(
      functions,
      (call) =>
        (context: MethodContext, ...values: unknown[]) =>
          callOutsideRun({ type, context, staticData: emptyStaticData() }, (functions) =>
            call.call(functions, ...(values as never[])),
          ),
    );
  const methods = {
    ...(loadOptions && { loadOptions: calling(loadOptions) }),
    ...(listSearch && { listSearch: mapped(calling(listSearch), withTextTokens) }),
    ...(resourceMapping && { resourceMapping: calling(resourceMapping) }),
    ...(actionHandler && { actionHandler: calling(actionHandler) }),
    ...(credentialTest && { credentialTest: mapped(credentialTest, adaptTest) }),
  };
  return Object.keys(methods).length > 0 ? (methods as NodeMethods) : undefined;
}

/** Registers webhooks at remote services. Registrations without all three functions are dropped. */
export function adaptWebhookMethods(type: CommunityNodeType): Record<string, WebhookMethods> | undefined {
  const entries = Object.entries(type.webhookMethods ?? {}).flatMap(([name, { checkExists, create, delete: remove }]) => {
    if (!checkExists || !create || !remove) return [];
    const calling = (call: CommunityFunction) => async (context: WebhookContext) =>
      (await callOutsideRun(registrationCall(type, context), (functions) => call.call(functions))) === true;
    const methods: WebhookMethods = { checkExists: calling(checkExists), create: calling(create), delete: calling(remove) };
    return [[name, methods] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/**
 * Editors may call methods of a node that is not in a workflow, so static data is empty and not
 * stored.
 */
function emptyStaticData(): OutsideRunCall['staticData'] {
  const parts = { global: {}, node: {} };
  return (part) => parts[staticPart(part)];
}

/**
 * The context of functions that register a webhook: `node` data is stored with the registration.
 */
function registrationCall(type: RunningType, context: WebhookContext): OutsideRunCall {
  const staticData = (part: string) => {
    if (staticPart(part) === 'node') return context.staticData;
    const description = 'getWorkflowStaticData("node") is stored with the registration, and its webhook can read it';
    throw new NodeOperationError('a webhook registration cannot store global static data', { description }, 'NOT_SUPPORTED');
  };
  return { type, context, further: webhookFunctions(context), staticData };
}

/** Functions of a webhook's context. */
export function webhookFunctions(context: WebhookContext) {
  return {
    getNodeWebhookUrl: (name = 'default') => context.webhookUrl(name),
    getWebhookName: () => context.webhookName,
    getWebhookDescription: (name: string) => ({ name }),
  };
}

function adaptTest(call: CommunityFunction): NonNullable<NodeMethods['credentialTest']>[string] {
  return async (data, ports, signal): Promise<CredentialTestResult> => {
    const result = await call.call(
      { helpers: credentialHelpers(ports, signal) },
      ...([{ id: '', name: '', type: '', data }] as never[]),
    );
    const { status, message } = isJsonObject(result) ? result : {};
    return { status: status === 'OK' ? 'OK' : 'Error', message: typeof message === 'string' ? message : '' };
  };
}

type Search = (context: MethodContext, filter?: unknown, paginationToken?: unknown) => Promise<unknown>;

/** Packages use page tokens of any type and expect the same type back; our tokens are strings. */
function withTextTokens(search: Search): Search {
  return async (context, filter, paginationToken) => {
    const token = typeof paginationToken === 'string' ? tokenOf(paginationToken) : undefined;
    const result = await search(context, filter, token);
    if (!isJsonObject(result)) return result;
    const { paginationToken: next, ...page } = result;
    return next === undefined || next === null ? page : { ...page, paginationToken: textOfToken(next) };
  };
}

const jsonToken = 'json:';

function textOfToken(token: JsonValue): string {
  return typeof token === 'string' && !token.startsWith(jsonToken) ? token : `${jsonToken}${JSON.stringify(token)}`;
}

/** A token that is not JSON was not issued here. */
function tokenOf(text: string): unknown {
  if (!text.startsWith(jsonToken)) return text;
  try {
    return JSON.parse(text.slice(jsonToken.length));
  } catch {
    return text;
  }
}

function mapped<Call extends (...values: never[]) => unknown, T>(
  functions: Record<string, Call> | undefined,
  map: (call: Call) => T,
): Record<string, T> {
  const callable = Object.entries(functions ?? {}).filter(([, call]) => typeof call === 'function');
  return Object.fromEntries(callable.map(([name, call]) => [name, map(call)]));
}
