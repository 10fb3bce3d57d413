import type { JsonObject, JsonValue } from '@sluice/domain';
import type { BinaryAccess, MethodContext, SourceContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';
import { binaryHelpers } from './binary-helpers.ts';
import { commonFunctions, commonHelpers } from './common-functions.ts';
import { completedPorts, type HostPorts } from './host-ports.ts';
import { NodeParameters, type ParameterOptions } from './node-parameters.ts';
import { staticPart } from './static-data.ts';
import { unsupportedFunctions } from './unsupported.ts';

/** What a function beside runs is made of: of a poll, a listener, a webhook or an editor. */
interface BesideRun {
  readonly type: RunningType;
  readonly ports: HostPorts;
  readonly workflow: { id: string; name: string; timezone: string };
  /** A parameter at the top, resolved. */
  read(name: string): JsonValue | undefined;
  /** Absent: there is nowhere to put files. */
  readonly binary?: Pick<BinaryAccess, 'store'>;
  readonly staticData: JsonObject;
  readonly mode: string;
}

/** The `this` of such a function. `getNodeParameter` takes its fallback where that of a run takes the index of an item. */
export function besideRunFunctions({ type, ports: given, workflow, read, binary, staticData, mode }: BesideRun) {
  const ports = completedPorts(given, type);
  const parameters = new NodeParameters(read, type.description.properties, ports.typeVersion, ports.node.parameters);
  const files = { store: binary ? binary.store.bind(binary) : noFiles, read: noFiles, open: noFiles };
  const helpers = { ...commonHelpers(ports), ...binaryHelpers({ node: ports.node, binary: files, items: () => [] }) };
  return {
    ...commonFunctions(ports, workflow),
    helpers,
    getNodeParameter: (name: string, fallback?: unknown, options?: ParameterOptions) => parameters.get(name, fallback, options),
    /** Parameters as an editor has them; `&` before a name means beside the parameter that asks. */
    getCurrentNodeParameter: (name: string, options?: ParameterOptions) =>
      parameters.get(name.replace(/^&/, ''), missing, options) ?? undefined,
    getCurrentNodeParameters: () => parameters.all(),
    getWorkflowStaticData: (part: string) => (staticPart(part) === 'node' ? staticData : {}),
    getMode: () => mode,
    getActivationMode: () => (mode === 'manual' ? 'manual' : 'activate'),
    ...unsupportedFunctions(['evaluateExpression', 'getInputConnectionData', 'saveFailedExecution'], 'this.'),
  };
}

/** A parameter that is not there is no error to an editor, and `undefined` is no fallback. */
const missing = null;

async function noFiles(): Promise<never> {
  throw new TypeError('there are no files here');
}

/** A context of ours as ports of one shape. */
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
