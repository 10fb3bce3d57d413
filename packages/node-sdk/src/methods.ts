import type { JsonObject, JsonValue } from '@sluice/domain';
import type { CredentialPorts } from './access/ports.ts';
import type { ExecuteContext } from './context.ts';
import type { CredentialTestResult } from './credentials/credential.ts';
import type { NodePropertyOption } from './description.ts';

/**
 * The context of calls outside of runs: without items, with the node's current parameters.
 * `workflow.id` is empty if an editor calls for a node outside of a workflow. Such nodes, and nodes
 * during registration at a service, have no relatives.
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

/** A page of options; `paginationToken` requests the next page. */
export interface ListSearchResult {
  results: readonly (NodePropertyOption & { url?: string })[];
  paginationToken?: string;
}

/** A field of the remote table to which a node maps items. */
export interface ResourceField {
  id: string;
  displayName: string;
  type: string;
  required?: boolean;
}

/**
 * Calls outside of runs, by the name that the description uses (`typeOptions.loadOptionsMethod` and
 * similar). The API process makes them, for `POST /node-types/:type/methods/:kind/:method`, with
 * the request's parameters and credentials. `signal` fires after 30 seconds. Errors are returned to
 * the caller with credential secrets removed.
 */
export interface NodeMethods {
  /** Options of an `options` parameter. */
  readonly loadOptions?: Readonly<Record<string, (context: MethodContext) => Promise<readonly NodePropertyOption[]>>>;
  /** Options filtered by a search text. */
  readonly listSearch?: Readonly<
    Record<string, (context: MethodContext, filter?: string, paginationToken?: string) => Promise<ListSearchResult>>
  >;
  /**
   * The node's credential tests (`NodeCredential.testedBy`), for credential types without a test.
   */
  readonly credentialTest?: Readonly<
    Record<string, (data: JsonObject, ports: CredentialPorts, signal: AbortSignal) => Promise<CredentialTestResult>>
  >;
  readonly resourceMapping?: Readonly<
    Record<string, (context: MethodContext) => Promise<{ fields: readonly ResourceField[] }>>
  >;
  /** Actions of editor buttons. */
  readonly actionHandler?: Readonly<Record<string, (context: MethodContext, payload: JsonObject) => Promise<JsonValue>>>;
}
