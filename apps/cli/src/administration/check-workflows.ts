import { readEnv, toConfig } from '@sluice/config';
import { showProgress } from '../progress.ts';
import { printable, type Terminal } from '../terminal.ts';
import { readWorkflows } from '../workflow-files/read-workflows.ts';
import { SupportCounter, type SupportReport } from '../workflow-files/support-report.ts';
import { knownTypes } from './known-types.ts';
import { printSupport } from './print-support.ts';

/**
 * Reports which workflows in the files can be imported and run, and what they use that is missing
 * or unsupported. Stores nothing and needs no database. Throws an error that counts the problems.
 */
export async function checkWorkflows(paths: readonly string[], { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const config = toConfig(readEnv());
  const { workflowMaxNodes: maxNodes } = config.limits;
  const counter = new SupportCounter(await knownTypes(config, terminal));
  const progress = await showProgress('checking', terminal);
  try {
    for await (const entry of readWorkflows(paths, { maxNodes, counter, onFile: progress.update })) {
      const notes = 'error' in entry ? [entry.error] : entry.tidied.warnings;
      for (const note of notes) progress.terminal.warn(printable(`${entry.file}: ${note}`));
    }
  } finally {
    progress.stop();
  }
  const report = counter.report();
  if (json) terminal.line(JSON.stringify(report, undefined, 2));
  else printSupport(terminal, report);
  const problems = problemsOf(report);
  if (problems !== '') throw new Error(problems);
}

/** Counts each kind of problem. Empty if every workflow can be imported and run unchanged. */
function problemsOf(report: SupportReport): string {
  const { files, workflows, importable } = report;
  const counts: [number, string][] = [
    [files.read - files.parsed, 'files without a workflow'],
    [workflows - importable, 'workflows that cannot be imported'],
    [report.missingNodeTypes.length, 'missing node types'],
    [report.missingCredentialTypes.length, 'missing credential types'],
    [report.unsupportedParameters.length, 'unsupported parameters'],
    [report.invalidParameters.length, 'parameters with invalid values'],
  ];
  const problems = counts.filter(([count]) => count > 0).map(([count, noun]) => `${count} ${noun}`);
  return problems.join(', ');
}
