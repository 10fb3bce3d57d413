import type { JsonObject, JsonValue } from '@sluice/domain';
import type { ExecuteContext } from './context.ts';
import type { CredentialTestResult } from './credential.ts';
import type { NodePropertyOption } from './description.ts';
import type { CredentialPorts } from './ports.ts';

/**
 * What calls outside of a run are given: there are no items, and parameters are those of the node as they stand. `workflow.id` is empty where an editor
 * asks, of a node that may be in no workflow yet; it has no relatives then, nor while it is registered at a service.
 */
export interface MethodContext
  extends Pick<
    ExecuteContext,
    'node' | 'typeVersion' | 'workflow' | 'signal' | 'logger' | 'http' | 'evaluateText' | 'relatives'
  > {
  parameter<T extends JsonValue = JsonValue>(path: string, fallback?: T): T;
  credentials(type: string): Promise<JsonObject>;
  authentication(type: string): ReturnType<ExecuteContext['authentication']>;
}

/** A page of choices; `paginationToken` asks for the next one. */
export interface ListSearchResult {
  results: readonly (NodePropertyOption & { url?: string })[];
  paginationToken?: string;
}

/** A field of the remote table that a node maps items to. */
export interface ResourceField {
  id: string;
  displayName: string;
  type: string;
  required?: boolean;
}

/**
 * Calls beside runs, by the name that the description refers to them with (`typeOptions.loadOptionsMethod` and the like). The API process makes them, for
 * `POST /node-types/:type/methods/:kind/:method`, with the parameters and credentials that the caller names; `signal` fires after half a minute. What
 * they throw is told to the caller, without the secrets of credentials.
 */
export interface NodeMethods {
  /** Choices of an `options` parameter. */
  readonly loadOptions?: Readonly<Record<string, (context: MethodContext) => Promise<readonly NodePropertyOption[]>>>;
  /** Choices that a text narrows down. */
  readonly listSearch?: Readonly<
    Record<string, (context: MethodContext, filter?: string, paginationToken?: string) => Promise<ListSearchResult>>
  >;
  /** Tests of credentials that the node brings along (`NodeCredential.testedBy`), for types that have none of their own. */
  readonly credentialTest?: Readonly<
    Record<string, (data: JsonObject, ports: CredentialPorts, signal: AbortSignal) => Promise<CredentialTestResult>>
  >;
  readonly resourceMapping?: Readonly<
    Record<string, (context: MethodContext) => Promise<{ fields: readonly ResourceField[] }>>
  >;
  /** What a button of the editor does. */
  readonly actionHandler?: Readonly<Record<string, (context: MethodContext, payload: JsonObject) => Promise<JsonValue>>>;
}
