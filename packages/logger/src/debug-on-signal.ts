import type { Logger } from 'pino';

/**
 * Makes SIGUSR2 switch a logger between `debug` and its own level, while the process runs. Each
 * switch is logged. Returns a function that removes the handler.
 */
export function debugOnSignal(
  logger: Pick<Logger, 'level' | 'warn'>,
  signals: Pick<NodeJS.Process, 'on' | 'off'> = process,
): () => void {
  const configured = logger.level;
  const other = configured === 'debug' ? 'info' : 'debug';
  const onSignal = () => {
    logger.level = logger.level === other ? configured : other;
    logger.warn({ logLevel: logger.level }, 'log level changed by SIGUSR2');
  };
  signals.on('SIGUSR2', onSignal);
  return () => void signals.off('SIGUSR2', onSignal);
}
