import type { NodeLogger } from '@sluice/node-sdk';

type Write = (message: string, fields?: object) => void;

/** A logger with the argument order that packages use. */
export function hostLogger(logger: NodeLogger): Record<'debug' | 'verbose' | 'info' | 'warn' | 'error' | 'log', Write> {
  const writing =
    (level: keyof NodeLogger): Write =>
    (message, fields = {}) =>
      logger[level](typeof fields === 'object' && fields !== null ? fields : { fields }, String(message));
  const info = writing('info');
  const debug = writing('debug');
  return { debug, verbose: debug, info, log: info, warn: writing('warn'), error: writing('error') };
}
