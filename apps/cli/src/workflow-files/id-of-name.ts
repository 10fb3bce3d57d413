import { createHash } from 'node:crypto';

const length = 16;

/**
 * The ID of a workflow whose file has none: the same at each import of a workflow of that name into
 * that project, so that a repetition updates it. `occurrence` counts workflows of the same name from
 * 0. No ID made elsewhere equals it by chance.
 */
export function idOfName(projectId: string, name: string, occurrence: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([projectId, name, occurrence]))
    .digest('base64url');
  return digest.replace(/[-_]/g, '').slice(0, length);
}
