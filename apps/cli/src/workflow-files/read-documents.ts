import type { JsonObject } from '@sluice/domain';
import { findWorkflowFiles } from './find-workflow-files.ts';
import { workflowDocuments } from './workflow-documents.ts';

/** The workflows of one file, or of a folder, as they are written there. */
export async function readWorkflowDocuments(path: string): Promise<JsonObject[]> {
  const files = await findWorkflowFiles([path]);
  const documents = await Promise.all(files.map(async ({ read }) => workflowDocuments(await read())));
  return documents.flat();
}
