import { printable, type Terminal } from '../terminal.ts';
import type { MissingType, SupportReport } from '../workflow-files/support-report.ts';

/** Prints how many workflows can be imported and run, and what is missing, by frequency. */
export function printSupport(terminal: Terminal, report: SupportReport): void {
  const { files, workflows, importable, supported, partlySupported } = report;
  terminal.line(`parsed           ${files.parsed} of ${files.read} files, ${workflows} workflows`);
  terminal.line(`importable       ${share(importable, workflows)}`);
  terminal.line(`fully supported  ${share(supported, workflows)}`);
  terminal.line(`partly supported ${share(partlySupported, workflows)}`);
  printMissing(terminal, 'missing node types', report.missingNodeTypes);
  printMissing(terminal, 'unsupported parameters', report.unsupportedParameters);
  printMissing(terminal, 'parameters with invalid values', report.invalidParameters);
  printMissing(terminal, 'missing credential types', report.missingCredentialTypes);
}

function share(part: number, whole: number): string {
  return whole === 0 ? String(part) : `${part}  (${((part / whole) * 100).toFixed(1)} %)`;
}

function printMissing(terminal: Terminal, title: string, types: readonly MissingType[]): void {
  if (types.length === 0) return;
  terminal.line(`${title}: workflows, nodes`);
  for (const { name, workflows, nodes } of types) {
    terminal.line(`  ${String(workflows).padStart(6)} ${String(nodes).padStart(7)}  ${printable(name)}`);
  }
}
