import { type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import {
  type NodeHook,
  NodeOperationError,
  type NodeType,
  runRouting,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { methodContext, type OpenedNode } from './open-node.ts';

/** A registration of a node at a remote service while its workflow is active. */
export interface RegistrationCall {
  node: OpenedNode;
  /** One of `registrationNames`. */
  name: string;
  /** Webhook name of the node → its URL. */
  urls: Readonly<Record<string, string>>;
  /** Data that the node keeps for the registration; calls change it in place. */
  data: JsonObject;
}

const hooks = 'hooks';
const webhookPrefix = 'webhook:';

/**
 * Lists what nodes of a type register on activation: `webhook:<name>` for each webhook with
 * methods, and `hooks` for the hooks of the description.
 */
export function registrationNames({ description, webhookMethods = {} }: NodeType): string[] {
  const { activate = [], deactivate = [] } = description.hooks ?? {};
  const webhooks = (description.webhooks ?? []).filter(({ name }) => Object.hasOwn(webhookMethods, name));
  return [
    ...webhooks.map(({ name }) => `${webhookPrefix}${name}`),
    ...(activate.length > 0 || deactivate.length > 0 ? [hooks] : []),
  ];
}

/**
 * Whether the service already has the registration. Hooks cannot check this, so the result is
 * whether they were called.
 */
export async function isRegistered(call: RegistrationCall): Promise<boolean> {
  const methods = methodsOf(call);
  return methods ? await methods.checkExists(webhookContext(call)) : call.data[calledKey] === true;
}

/**
 * Whether the service has anything for `unregister` to remove. This includes registrations that
 * were disabled or changed there, or whose data is lost, for which `isRegistered` returns false.
 */
export async function needsRemoval(call: RegistrationCall): Promise<boolean> {
  const checkAddress = methodsOf(call)?.checkAddress;
  return checkAddress ? checkAddress(webhookContext(call)) : isRegistered(call);
}

/** Throws the errors of the type, and `NodeOperationError` if it reports failure. */
export async function register(call: RegistrationCall): Promise<void> {
  const methods = methodsOf(call);
  if (!methods) {
    await callHooks(call, call.node.type.description.hooks?.activate ?? []);
    call.data[calledKey] = true;
  } else if (!(await methods.create(webhookContext(call)))) throw refused(call, 'create');
}

/** Removes the registration. Throws like `register`. */
export async function unregister(call: RegistrationCall): Promise<void> {
  const methods = methodsOf(call);
  if (!methods) {
    await callHooks(call, call.node.type.description.hooks?.deactivate ?? []);
    delete call.data[calledKey];
  } else if (!(await methods.delete(webhookContext(call)))) throw refused(call, 'delete');
}

const calledKey = 'called';

export function webhookContext({ node, name, urls, data }: RegistrationCall): WebhookContext {
  const webhookName = name.slice(webhookPrefix.length);
  return {
    ...methodContext(node),
    workflow: node.workflow,
    webhookName,
    staticData: data,
    webhookUrl(wanted = webhookName) {
      const url = ownProperty(urls, wanted);
      if (url !== undefined) return url;
      const description = 'Set PUBLIC_URL to the public address of this instance';
      throw new NodeOperationError(`the webhook "${wanted}" has no address`, { description });
    },
  };
}

/** The registration name of a webhook of a description. */
export function webhookRegistration(webhookName: string): string {
  return `${webhookPrefix}${webhookName}`;
}

/** `undefined` for hooks. Throws for a webhook for which the type has no methods (any longer). */
function methodsOf({ node, name }: RegistrationCall): WebhookMethods | undefined {
  if (name === hooks) return undefined;
  const methods = ownProperty(node.type.webhookMethods ?? {}, name.slice(webhookPrefix.length));
  if (!methods) throw new NodeOperationError(`the type ${node.node.type} has no webhookMethods for ${name}`);
  return methods;
}

async function callHooks({ node, urls }: RegistrationCall, calls: readonly NodeHook[]): Promise<void> {
  for (const { method, request } of calls) {
    const routing = { request: { ...request, method } };
    await runRouting(node.type.description, routing, node.context, { $webhookUrls: { ...urls } as Record<string, JsonValue> });
  }
}

function refused({ node, name }: RegistrationCall, method: string): NodeOperationError {
  return new NodeOperationError(`webhookMethods.${method} of ${node.node.type} reported failure (${name})`);
}
