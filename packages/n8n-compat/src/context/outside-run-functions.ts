import { buffer } from 'node:stream/consumers';
import type { BinaryReference, JsonObject, JsonValue } from '@sluice/domain';
import {
  type BinaryAccess,
  type ExecuteContext,
  type MethodContext,
  NodeOperationError,
  type SourceContext,
} from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { unsupportedFunctions } from '../unsupported.ts';
import { deepCopy } from '../workflow-module/json.ts';
import { binaryHelpers } from './binary-helpers.ts';
import { commonFunctions, commonHelpers } from './common-functions.ts';
import { evaluatePath } from './evaluate-path.ts';
import { completedPorts, type HostPorts } from './host-ports.ts';
import { prepareOutputData } from './item-helpers.ts';
import { NodeParameters, type ParameterOptions } from './node-parameters.ts';
import { paginated } from './paginated.ts';
import { workflowFunctions } from './workflow-functions.ts';

/**
 * The context of functions outside of a run: those of a poll, a listener, a webhook, or an editor.
 */
export interface OutsideRun extends Pick<ExecuteContext, 'workflow' | 'relatives'> {
  readonly type: RunningType;
  readonly ports: HostPorts;
  /** A resolved top-level parameter. */
  read(name: string): JsonValue | undefined;
  /** Available file functions; absent: no files are available. */
  readonly binary?: Partial<Pick<BinaryAccess, 'store' | 'open'>>;
  /** Opens a file that is not stored yet, by its path; absent: no such files are available. */
  openFile?(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Absent: requests cannot be paginated. */
  readonly evaluateText?: ExecuteContext['evaluateText'];
  /** One part of the static data, to be changed in place. */
  staticData(part: string): JsonObject;
  readonly mode: string;
}

/**
 * The `this` of such a function. `getNodeParameter` takes its fallback as the second argument,
 * where a run's function takes an item index.
 */
export function outsideRunFunctions(outside: OutsideRun) {
  const { type, workflow, read, mode } = outside;
  const ports = completedPorts(outside.ports, type);
  const parameters = new NodeParameters(read, type.description.properties, ports.typeVersion, ports.node.parameters);
  const names = () => namesOf(outside, parameters.all());
  const helpers = outsideRunHelpers(outside, ports);
  return {
    ...commonFunctions(ports, workflow),
    ...workflowFunctions(outside),
    helpers,
    nodeHelpers: helpers,
    getNodeParameter: (name: string, fallback?: unknown, options?: ParameterOptions) => parameters.get(name, fallback, options),
    /**
     * Parameters as shown in an editor; `&` before a name refers to a sibling of the requesting
     * parameter.
     */
    getCurrentNodeParameter: (name: string, options?: ParameterOptions) =>
      parameters.get(name.replace(/^&/, ''), missing, options) ?? undefined,
    getCurrentNodeParameters: () => parameters.all(),
    getWorkflowStaticData: (part: string) => outside.staticData(part),
    getMode: () => mode,
    getActivationMode: () => (mode === 'manual' ? 'manual' : 'activate'),
    /** No execution is running. */
    getExecutionId: () => undefined,
    evaluateExpression: (text: string) => evaluatePath(text, names()),
    prepareOutputData,
    ...unsupportedFunctions(['getInputConnectionData', 'saveFailedExecution'], 'this.'),
  };
}

function outsideRunHelpers({ binary, openFile = noFiles, evaluateText }: OutsideRun, ports: HostPorts) {
  const store = binary?.store?.bind(binary) ?? noFiles;
  const open = binary?.open?.bind(binary) ?? noFiles;
  const read = async (file: BinaryReference) => buffer(await open(file));
  return {
    ...commonHelpers(ports),
    ...binaryHelpers({ node: ports.node, binary: { store, open, read }, items: () => [], openFile }),
    ...(evaluateText
      ? { requestWithAuthenticationPaginated: paginated({ evaluateText }, ports) }
      : unsupportedFunctions(['requestWithAuthenticationPaginated'], 'this.helpers.')),
  };
}

/** Names for expressions without items. */
function namesOf({ workflow, mode }: OutsideRun, parameters: JsonObject): Record<string, unknown> {
  const { id, name, active } = workflow;
  return { $json: {}, $parameter: deepCopy(parameters), $workflow: { id, name, active }, $mode: mode, $now: new Date() };
}

/** A missing parameter is not an error in an editor, and `undefined` is not a fallback. */
const missing = null;

async function noFiles(): Promise<never> {
  throw new NodeOperationError('this package function cannot read or store files here', {}, 'NOT_SUPPORTED');
}

/** Converts our contexts to ports of one shape. */
export function portsOf(context: MethodContext | (SourceContext & { signal: AbortSignal })): HostPorts {
  const { node, typeVersion, signal, logger, http } = context;
  return {
    node,
    typeVersion,
    signal,
    logger,
    http,
    credentials: (type) => context.credentials(type, 0),
    authentication: (type) => context.authentication(type, 0),
  };
}
