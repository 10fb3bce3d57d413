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

/** The parts of a context outside of runs: of a poll, a listener, a webhook, or an editor. */
export interface BesideRun extends Pick<ExecuteContext, 'workflow' | 'relatives'> {
  readonly type: RunningType;
  readonly ports: HostPorts;
  /** A resolved top-level parameter. */
  read(name: string): JsonValue | undefined;
  /** Available file functions; absent: there are no files. */
  readonly binary?: Partial<Pick<BinaryAccess, 'store' | 'open'>>;
  /** Opens a file that is not stored yet, by its path; absent: there is none. */
  openFile?(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Absent: requests cannot be paginated. */
  readonly evaluateText?: ExecuteContext['evaluateText'];
  /** Static data of a part, to be changed in place. */
  staticData(part: string): JsonObject;
  readonly mode: string;
}

/**
 * The `this` of such a function. `getNodeParameter` takes its fallback as the second argument,
 * where that of a run takes an item index.
 */
export function besideRunFunctions(beside: BesideRun) {
  const { type, workflow, read, mode } = beside;
  const ports = completedPorts(beside.ports, type);
  const parameters = new NodeParameters(read, type.description.properties, ports.typeVersion, ports.node.parameters);
  const names = () => namesOf(beside, parameters.all());
  const helpers = besideRunHelpers(beside, ports);
  return {
    ...commonFunctions(ports, workflow),
    ...workflowFunctions(beside),
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
    getWorkflowStaticData: (part: string) => beside.staticData(part),
    getMode: () => mode,
    getActivationMode: () => (mode === 'manual' ? 'manual' : 'activate'),
    /** Outside of executions. */
    getExecutionId: () => undefined,
    evaluateExpression: (text: string) => evaluatePath(text, names()),
    prepareOutputData,
    ...unsupportedFunctions(['getInputConnectionData', 'saveFailedExecution'], 'this.'),
  };
}

function besideRunHelpers({ binary, openFile = noFiles, evaluateText }: BesideRun, ports: HostPorts) {
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
function namesOf({ workflow, mode }: BesideRun, parameters: JsonObject): Record<string, unknown> {
  const { id, name, active } = workflow;
  return { $json: {}, $parameter: deepCopy(parameters), $workflow: { id, name, active }, $mode: mode, $now: new Date() };
}

/** A missing parameter is not an error in an editor, and `undefined` is not a fallback. */
const missing = null;

async function noFiles(): Promise<never> {
  throw new NodeOperationError('this function of a package can neither read nor store files here', {}, 'NOT_SUPPORTED');
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
