import type { ExecuteContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';

/** The ports of a community context; common to runs, polls, and calls outside of runs. */
export interface HostPorts extends Pick<ExecuteContext, 'node' | 'typeVersion' | 'signal' | 'logger' | 'http'> {
  credentials(type: string, itemIndex: number): ReturnType<ExecuteContext['credentials']>;
  authentication(type: string, itemIndex: number): ReturnType<ExecuteContext['authentication']>;
}

/** The ports, with empty credential fields filled in by their types. */
export function completedPorts(ports: HostPorts, { completeCredentials }: RunningType): HostPorts {
  const { node, typeVersion, signal, logger, http } = ports;
  return {
    node,
    typeVersion,
    signal,
    logger,
    http,
    async credentials(type, itemIndex) {
      const data = await ports.credentials(type, itemIndex);
      return completeCredentials ? completeCredentials(type, data) : data;
    },
    authentication: (type, itemIndex) => ports.authentication(type, itemIndex),
  };
}

export interface RequestPorts extends Pick<HostPorts, 'node' | 'signal' | 'authentication'> {
  http: Pick<HostPorts['http'], 'request'> & Partial<Pick<HostPorts['http'], 'stream'>>;
}
