import { type CallNodeMethodBody, type NodeMethodKind, nodeMethodKinds } from '@sluice/contract';
import type { CredentialOpener, CredentialSession, FoundCredential } from '@sluice/credentials';
import type { CredentialRepository } from '@sluice/db';
import {
  type ErrorCode,
  errorMessage,
  invalidRequest,
  isAppError,
  type JsonObject,
  type JsonValue,
  NotFoundError,
  ownProperty,
  untilAborted,
  type WorkflowNode,
} from '@sluice/domain';
import type { OpenedNode } from '@sluice/engine';
import {
  type CredentialTestResult,
  type NodeProperty,
  type NodePropertyGroup,
  type Routing,
  runRouting,
  type TestCredential,
} from '@sluice/node-sdk';
import type { Caller } from '../auth/caller.ts';
import { assertScopes } from '../auth/scopes.ts';
import { checkedMethodResult, maxMessageLength } from './checked-method-result.ts';
import { NodeMethodFailedError } from './errors.ts';
import type { NodeInvoker } from './node-invoker.ts';

interface NodeMethodServiceOptions {
  nodes: NodeInvoker;
  credentials: Pick<CredentialRepository, 'get'>;
  opener: CredentialOpener;
}

/** Timeout of a method, in milliseconds. */
const timeoutMs = 30_000;

/** A method of a node type. */
interface NodeMethodName {
  type: string;
  kind: string;
  method: string;
}

/**
 * Errors that are returned unchanged: they name what to fix in the request, or what is not allowed.
 */
const refusals: ReadonlySet<ErrorCode> = new Set(['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE']);

/**
 * Calls methods that node types offer to editors: options, searches, fields of remote tables,
 * buttons, credential tests.
 */
export class NodeMethodService {
  readonly #options: NodeMethodServiceOptions;

  constructor(options: NodeMethodServiceOptions) {
    this.#options = options;
  }

  /**
   * Calls a method with credentials that the caller may use. Throws `NotFoundError` for an unknown
   * type, kind or method, `ValidationError`, `ForbiddenError`, and `NodeMethodFailedError` if the
   * method throws or returns a wrong shape.
   */
  async call(name: NodeMethodName, body: CallNodeMethodBody, caller: Caller, disconnected: AbortSignal): Promise<unknown> {
    const { nodes } = this.#options;
    const kind = nodeMethodKinds.find((candidate) => candidate === name.kind);
    const { ports } = await nodes.functions();
    if (!kind || !ports.nodeTypes.find(name.type)) throw noMethod(name);
    assertMayCall(kind, body, caller);
    const credentials = nodes.credentialsOf({
      find: (id) => this.#find(id, name.type, caller),
    });
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([disconnected, deadline]);
    try {
      const node = await this.#open(name.type, body, { caller, credentials, signal });
      const result = nodes.run(credentials, { nodeType: name.type }, () => this.#method(node, { ...name, kind }, body));
      if (!result) throw noMethod(name);
      return await checkedMethodResult(kind, await untilAborted(result, signal), credentials, signal);
    } catch (error) {
      disconnected.throwIfAborted();
      throw failure(error, credentials, deadline.aborted ? `no response within ${timeoutMs / 1000} seconds` : undefined);
    }
  }

  async #find(id: string, nodeType: string, { access, email, userId }: Caller): Promise<FoundCredential> {
    const { type, name, sealed } = await this.#options.credentials.get(id, access['project:editor']);
    const usedBy = { actor: email, userId, projectId: null, details: { nodeType } };
    return { type, name, sealed, usable: true, usedBy };
  }

  #open(
    type: string,
    { typeVersion, parameters = {}, credentials: named = {} }: CallNodeMethodBody,
    { caller, credentials, signal }: { caller: Caller; credentials: CredentialSession; signal: AbortSignal },
  ): Promise<OpenedNode> {
    const node: WorkflowNode = {
      name: 'Node',
      type,
      position: [0, 0],
      parameters: parameters as JsonObject,
      credentials: named as NonNullable<WorkflowNode['credentials']>,
      ...(typeVersion !== undefined && { typeVersion }),
    };
    return this.#options.nodes.open({
      workflow: { id: '', projectId: caller.personalProjectId, active: false },
      graph: { name: '', nodes: [node], connections: {} },
      node,
      credentials,
      signal,
      // Without `$vars` and `$env`, a key that may only read cannot use an expression to read them.
      blind: !caller.scopes.has('workflow:execute'),
    });
  }

  /** The pending result; `undefined` if there is no such method. */
  #method(
    node: OpenedNode,
    { kind, method }: NodeMethodName & { kind: NodeMethodKind },
    { filter, paginationToken, payload = {} }: CallNodeMethodBody,
  ): Promise<unknown> | undefined {
    const { methods = {} } = node.type;
    const context = () => this.#contextOf(node);
    switch (kind) {
      case 'loadOptions': {
        const load = ownProperty(methods.loadOptions ?? {}, method);
        return load ? context().then(load) : declaredOptions(node, method);
      }
      case 'listSearch': {
        const search = ownProperty(methods.listSearch ?? {}, method);
        return search && context().then((functions) => search(functions, filter, paginationToken));
      }
      case 'resourceMapping': {
        const map = ownProperty(methods.resourceMapping ?? {}, method);
        return map && context().then(map);
      }
      case 'actionHandler': {
        const act = ownProperty(methods.actionHandler ?? {}, method);
        return act && context().then((functions) => act(functions, payload as JsonObject));
      }
      case 'credentialTest': {
        const test = ownProperty(methods.credentialTest ?? {}, method);
        return test && this.#test(node, testedType(node, method), test);
      }
    }
  }

  async #test({ context }: OpenedNode, type: string, test: TestCredential): Promise<CredentialTestResult> {
    const data = await context.credentials(type, 0);
    return test(data, this.#options.opener.portsFor(type, data), context.signal);
  }

  async #contextOf(node: OpenedNode) {
    const { methodContext } = await this.#options.nodes.functions();
    return methodContext(node);
  }
}

/**
 * Throws 403. An `actionHandler` acts on the service. Any other method sends a credential to the
 * destination in the request's parameters, as a workflow does; a test sends it to the destination
 * in the credential.
 */
function assertMayCall(kind: NodeMethodKind, { credentials }: CallNodeMethodBody, { scopes }: Caller): void {
  if (credentials) assertScopes(scopes, ['credential:read'], 'the key may not use credentials');
  const isRead = kind === 'credentialTest' || (kind !== 'actionHandler' && !credentials);
  if (isRead || scopes.has('credential:update')) return;
  assertScopes(
    scopes,
    ['workflow:update'],
    `a method of the kind ${kind} needs the scope workflow:update or credential:update`,
  );
}

/** Name of the credential type that this method tests, from the description. */
function testedType({ type, context }: OpenedNode, method: string): string {
  const tested = type.description.credentials?.find(({ testedBy }) => testedBy === method)?.name;
  const name = tested ?? Object.keys(context.node.credentials ?? {})[0];
  if (name === undefined) {
    throw invalidRequest('/credentials', 'must name the credential to be tested');
  }
  return name;
}

/** Options that a declarative type loads by `typeOptions.loadOptions.routing` of a parameter. */
function declaredOptions({ type, context }: OpenedNode, path: string): Promise<unknown> | undefined {
  const property = propertyAt(type.description.properties, path.split('.'));
  const { routing } = (property?.typeOptions?.['loadOptions'] ?? {}) as { routing?: Routing };
  if (!routing) return undefined;
  return runRouting(type.description, routing, context).then((items) => items.map(({ json }) => toOption(json)));
}

function toOption({ name, value, description }: JsonObject): JsonValue {
  return { name: String(name ?? value ?? ''), value: value ?? name ?? null, ...(description !== undefined && { description }) };
}

function propertyAt(properties: readonly NodeProperty[], [name, ...rest]: readonly string[]): NodeProperty | undefined {
  const candidates = properties.filter((property) => property.name === name);
  if (rest.length === 0)
    return candidates.find(({ typeOptions }) => typeOptions?.['loadOptions'] !== undefined) ?? candidates[0];
  for (const { type, options = [] } of candidates) {
    const [group, ...inner] = rest;
    const within =
      type === 'fixedCollection'
        ? (options as readonly NodePropertyGroup[]).find((one) => one.name === group)?.values
        : (options as readonly NodeProperty[]);
    const property = within && propertyAt(within, type === 'fixedCollection' ? inner : rest);
    if (property) return property;
  }
  return undefined;
}

function failure(error: unknown, { scrubber }: CredentialSession, timeout: string | undefined): Error {
  if (timeout === undefined && isAppError(error)) {
    if (refusals.has(error.code)) return error;
    const path = parameterErrors.get(error.code);
    if (path !== undefined) return invalidRequest(path, scrubber.scrubText(error.message));
  }
  const message = scrubber.scrubText(timeout ?? errorMessage(error)).slice(0, maxMessageLength);
  return new NodeMethodFailedError(message, isAppError(error) ? error.code : undefined);
}

/** Error code → the part of the body to fix. */
const parameterErrors: ReadonlyMap<ErrorCode, string> = new Map([
  ['UNKNOWN_NODE_TYPE_VERSION', '/typeVersion'],
  ['EXPRESSION_ERROR', '/parameters'],
  ['CREDENTIAL_NOT_SET', '/credentials'],
  ['CREDENTIAL_NOT_FOUND', '/credentials'],
]);

function noMethod({ type, kind, method }: NodeMethodName): NotFoundError {
  const [shownType, shownKind, shownMethod] = [type, kind, method].map((text) => JSON.stringify(text.slice(0, 128)));
  return new NotFoundError(`node type ${shownType} has no method ${shownMethod} of the kind ${shownKind}`);
}
