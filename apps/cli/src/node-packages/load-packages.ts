import type { Config } from '@sluice/config';
import { loadNodePackages, type NodePackages, UncaughtErrors } from '@sluice/node-packages';
import { printable, type Terminal } from '../terminal.ts';
import { packageCode } from './package-code.ts';

/** Loads the node packages into this process. */
export function loadPackages({ nodePackages }: Pick<Config, 'nodePackages'>, terminal: Terminal): Promise<NodePackages> {
  return loadNodePackages({ ...nodePackages, uncaughtErrors: watchUncaughtErrors(terminal) });
}

/** Terminal of the running command; only one runs at a time. */
let current: Terminal;
let uncaughtErrors: UncaughtErrors | undefined;

/**
 * From now on, an uncaught error of package code, for example in a timer, is printed as a warning
 * and does not end the command.
 */
export function watchUncaughtErrors(terminal: Terminal): UncaughtErrors {
  packageCode.hasRun = true;
  current = terminal;
  uncaughtErrors ??= startListening();
  return uncaughtErrors;
}

function startListening(): UncaughtErrors {
  const errors = new UncaughtErrors({
    error: (fields, message) => {
      const { error, package: name } = fields as { error?: string; package?: string };
      current.warn(printable(`${name === undefined ? '' : `${name}: `}${message}: ${error}`));
    },
  });
  errors.listen(process, { end: () => process.exit(1), atRejections: true });
  return errors;
}
