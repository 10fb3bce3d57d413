import { readEnv, toConfig } from '@sluice/config';
import { printable, type Terminal } from '../terminal.ts';
import { readWorkflows } from '../workflow-files/read-workflows.ts';
import { SupportCounter } from '../workflow-files/support-report.ts';
import { knownTypes } from './known-types.ts';
import { printSupport } from './print-support.ts';

/**
 * Reports what an import of files would do, and which of their node types are missing. Stores
 * nothing and needs no database.
 */
export async function checkWorkflows(paths: readonly string[], { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const config = toConfig(readEnv());
  const { workflowMaxNodes: maxNodes } = config.limits;
  const counter = new SupportCounter(await knownTypes(config, terminal));
  for await (const read of readWorkflows(paths, { maxNodes, counter })) {
    if ('error' in read) terminal.warn(printable(`${read.file}: ${read.error}`));
    else for (const warning of read.tidied.warnings) terminal.warn(printable(`${read.file}: ${warning}`));
  }
  const report = counter.report();
  if (json) terminal.line(JSON.stringify(report, undefined, 2));
  else printSupport(terminal, report);
}
