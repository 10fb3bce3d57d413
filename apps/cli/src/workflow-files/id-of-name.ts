import { createHash } from 'node:crypto';

const idLength = 16;

/**
 * ID for a workflow whose file has no ID. It depends only on the arguments, so that importing the
 * file into the project again updates the workflow. `occurrence` counts workflows of the same name
 * from 0. Collisions with other IDs are as unlikely as those of random IDs.
 */
export function idOfName(projectId: string, name: string, occurrence: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([projectId, name, occurrence]))
    .digest('base64url');
  return digest.replace(/[-_]/g, '').slice(0, idLength);
}
