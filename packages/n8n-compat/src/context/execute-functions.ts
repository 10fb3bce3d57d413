import type { JsonObject, JsonValue } from '@sluice/domain';
import type { ExecuteContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { unsupportedFunctions } from '../unsupported.ts';
import { deepCopy } from '../workflow-module/json.ts';
import { binaryHelpers } from './binary-helpers.ts';
import { commonFunctions, commonHelpers } from './common-functions.ts';
import { connectionFunctions } from './connection-functions.ts';
import { dataProxy } from './data-proxy.ts';
import { evaluatePath } from './evaluate-path.ts';
import { fileHelpers, openMachineFile } from './file-helpers.ts';
import { completedPorts } from './host-ports.ts';
import { prepareOutputData } from './item-helpers.ts';
import { type ItemCopies, itemReader } from './item-reader.ts';
import { NodeParameters, type ParameterOptions } from './node-parameters.ts';
import { paginated } from './paginated.ts';
import { responseFunctions } from './response-functions.ts';
import { runDetailFunctions } from './run-detail-functions.ts';
import type { SmallFiles } from './small-files.ts';
import type { RunStaticData } from './static-data.ts';
import { waitingFunctions } from './waiting-functions.ts';
import { workflowFunctions } from './workflow-functions.ts';

/** The parts of a run's context. */
export interface ExecuteParts {
  readonly context: ExecuteContext;
  readonly type: RunningType;
  readonly staticData: RunStaticData;
  /** Receives the promise of each response. */
  readonly sending?: Promise<void>[];
  /** Bytes of small files. */
  readonly smallFiles?: SmallFiles;
  /** Items that are already copied. */
  readonly copies?: ItemCopies;
}

/** The `this` of a community node's `execute`. */
export function executeFunctions(parts: ExecuteParts) {
  const { context, staticData } = parts;
  const ports = completedPorts(context, parts.type);
  const items = itemReader(context, parts.smallFiles, parts.copies);
  const parametersOf = parameterReader(parts);
  const proxyOf = (itemIndex: number) => dataProxy(context, itemIndex, parametersOf(itemIndex).all());
  const nodeContext: JsonObject = deepCopy(context.nodeContext ?? {}) as JsonObject;
  const helpers = {
    ...commonHelpers(ports),
    ...fileHelpers(context.files),
    ...binaryHelpers({
      node: context.node,
      binary: context.binary,
      items: (input) => items(input),
      openFile: (path) => openMachineFile(context.files, path),
    }),
    requestWithAuthenticationPaginated: paginated(context, ports),
  };
  return {
    ...commonFunctions(ports, context.workflow),
    ...responseFunctions(context, parts.sending),
    ...runDetailFunctions(context),
    ...waitingFunctions(context),
    ...workflowFunctions(context),
    ...connectionFunctions(context, parts.type),
    helpers,
    nodeHelpers: helpers,
    getInputSourceData: () => ({ previousNode: '' }),
    getInputData: (input = 0) => items(input),
    getNodeParameter: (name: string, itemIndex: number, fallback?: unknown, options?: ParameterOptions) =>
      parametersOf(itemIndex).get(name, fallback, options),
    continueOnFail: () => context.continueOnFail,
    getMode: () => context.execution.mode,
    getExecutionId: () => context.execution.id,
    getExecutionContext: () => undefined,
    getItemIndex: () => 0,
    getWorkflowStaticData: (type: 'global' | 'node') => staticData.of(type),
    getContext: () => nodeContext,
    /** The `getContext` data that changed, to be stored. */
    nodeContext,
    getWorkflowDataProxy: proxyOf,
    evaluateExpression: (text: string, itemIndex = 0) => evaluatePath(text, proxyOf(itemIndex)),
    prepareOutputData,
    isToolExecution: () => false,
    isConsoleOutputRedacted: () => false,
    logAiEvent: () => undefined,
    ...unsupportedFunctions(unsupported, 'this.'),
  };
}

const unsupported = ['executeWorkflow', 'getExecutionDataById', 'startJob', 'executeAgent', 'listAgents'];

/** Caches the parameters of each item, because packages read them one by one. */
function parameterReader({ context, type }: ExecuteParts): (itemIndex: number) => NodeParameters {
  const parametersByItem = new Map<number, NodeParameters>();
  return (itemIndex) => {
    const cached = parametersByItem.get(itemIndex);
    if (cached) return cached;
    const read = (name: string) => context.parameter<JsonValue | (undefined & JsonValue)>(name, itemIndex);
    const parameters = new NodeParameters(read, type.description.properties, context.typeVersion, context.node.parameters);
    parametersByItem.set(itemIndex, parameters);
    return parameters;
  };
}
