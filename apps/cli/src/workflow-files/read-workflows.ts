import { basename } from 'node:path';
import { errorMessage } from '@sluice/domain';
import { findWorkflowFiles } from './find-workflow-files.ts';
import type { SupportCounter } from './support-report.ts';
import { type TidiedWorkflow, tidyWorkflow } from './tidy-workflow.ts';
import { workflowDocuments } from './workflow-documents.ts';

/** A workflow from a file, or the reason why the file or a part of it is not a workflow. */
export type ReadWorkflow = { file: string } & ({ tidied: TidiedWorkflow } | { error: string });

interface ReadOptions {
  maxNodes: number;
  counter: SupportCounter;
  /** Called before each file with the number of files read so far. */
  onFile?: (done: number, total: number) => void;
}

/** Reads files in sequence, counts supported workflows, and warns about unsupported parts. */
export async function* readWorkflows(
  paths: readonly string[],
  { maxNodes, counter, onFile }: ReadOptions,
): AsyncGenerator<ReadWorkflow> {
  const files = await findWorkflowFiles(paths);
  for (const [done, { path: file, read }] of files.entries()) {
    onFile?.(done, files.length);
    let documents: ReturnType<typeof workflowDocuments>;
    try {
      documents = workflowDocuments(await read());
      counter.fileRead(documents.length);
    } catch (error) {
      counter.fileRead();
      yield { file, error: errorMessage(error) };
      continue;
    }
    for (const document of documents) {
      try {
        const tidied = tidyWorkflow(document, { fallbackName: basename(file, '.json'), maxNodes });
        const unsupported = counter.importable(tidied.workflow.nodes, tidied.workflow.connections);
        yield { file, tidied: { ...tidied, warnings: [...tidied.warnings, ...unsupported] } };
      } catch (error) {
        yield { file, error: errorMessage(error) };
      }
    }
  }
}
