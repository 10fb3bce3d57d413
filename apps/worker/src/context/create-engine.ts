import type { Config } from '@sluice/config';
import type { EnginePorts } from '@sluice/engine';
import { createConnectGuard, createHttpClient, type Endpoint, guardedConnect } from '@sluice/http-client';
import type { NodePackages, UncaughtErrors } from '@sluice/node-packages';
import { withAiTypes } from '@sluice/nodes-ai';
import { createNodeTypeRegistry, lazyNodeTypes } from '@sluice/nodes-base/loading';
import { serviceNodeTypes } from '@sluice/nodes-services';
import { createSandbox } from '@sluice/sandbox';
import { AllowedCommands } from '../commands/allowed-commands.ts';
import { AllowedFolder } from '../machine-files/allowed-folder.ts';

/** Node types of this repository, which load at their first use. */
const builtIn = [...lazyNodeTypes, ...serviceNodeTypes];

interface EngineParts {
  ownEndpoints: Iterable<Endpoint>;
  nodePackages: Pick<NodePackages, 'nodeTypes' | 'replacements'>;
  uncaughtErrors: UncaughtErrors;
  inFlight: EnginePorts['inFlight'];
  /** Replaces the parts created here. */
  replaced: Partial<EnginePorts> | undefined;
}

/** The engine's external dependencies. */
export function createEngine(
  config: Config,
  { ownEndpoints, nodePackages: { nodeTypes, replacements }, uncaughtErrors, inFlight, replaced }: EngineParts,
) {
  const outgoing = { ...config.outgoing, ownEndpoints };
  const http = createHttpClient(outgoing);
  const connectGuard = createConnectGuard(outgoing);
  const sandbox = createSandbox(config.sandbox);
  const ports: EnginePorts = {
    nodeTypes: withAiTypes(createNodeTypeRegistry([], nodeTypes, builtIn, replacements)),
    sandbox,
    http,
    connect: guardedConnect(connectGuard),
    ...machineFiles(config),
    ...(config.commands && { commands: new AllowedCommands(config.commands) }),
    now: Date.now,
    uncaughtErrors,
    ...(inFlight && { inFlight }),
    ...replaced,
  };
  const close = async () => {
    await Promise.allSettled([http.close(), sandbox.close()]);
  };
  return {
    ports,
    /** The guard of `ports.connect`. */
    connectGuard,
    close,
  };
}

export type Engine = ReturnType<typeof createEngine>;

/** Folders that the operator allows nodes to use; Sluice's own files are always excluded. */
function machineFiles({ filesFolders, home, binary }: Config): Pick<EnginePorts, 'files'> {
  if (filesFolders.length === 0) return {};
  const refused = [home, ...(binary.store.kind === 'disk' ? [binary.store.folder] : [])];
  return { files: new AllowedFolder(filesFolders, { refused }) };
}
