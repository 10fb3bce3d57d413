import type { ExecuteContext } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';

/** What functions of a community context are made of; runs, polls and calls beside runs all have it. */
export interface HostPorts extends Pick<ExecuteContext, 'node' | 'typeVersion' | 'signal' | 'logger' | 'http'> {
  credentials(type: string, itemIndex: number): ReturnType<ExecuteContext['credentials']>;
  authentication(type: string, itemIndex: number): ReturnType<ExecuteContext['authentication']>;
}

/** The ports, with credentials that have what their types say where nothing was filled in. */
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

/** What requests need of it. */
export interface RequestPorts extends Pick<HostPorts, 'node' | 'signal' | 'authentication'> {
  http: Pick<HostPorts['http'], 'request'> & Partial<Pick<HostPorts['http'], 'stream'>>;
}
