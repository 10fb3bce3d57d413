import type { NodeLogger } from '@sluice/node-sdk';

/** Adds the node's name to every line. */
export function nodeLogger(logger: NodeLogger, nodeName: string): NodeLogger {
  return {
    debug: (fields, message) => logger.debug({ nodeName, ...fields }, message),
    info: (fields, message) => logger.info({ nodeName, ...fields }, message),
    warn: (fields, message) => logger.warn({ nodeName, ...fields }, message),
    error: (fields, message) => logger.error({ nodeName, ...fields }, message),
  };
}
