import type { JsonObject } from '@sluice/domain';
import { findWorkflowFiles } from './find-workflow-files.ts';
import { workflowDocuments } from './workflow-documents.ts';

/** Reads the workflows of a file or folder, unchanged. */
export async function readWorkflowDocuments(path: string): Promise<JsonObject[]> {
  const files = await findWorkflowFiles([path]);
  const documents = await Promise.all(files.map(async ({ read }) => workflowDocuments(await read())));
  return documents.flat();
}
