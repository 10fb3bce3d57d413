import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

/**
 * Imports the package while the process serves requests: first its node types one by one, with a turn of
 * the event loop after each. A single import would block the event loop for 100 to 300 ms.
 */
export async function loadInSlices(): Promise<typeof import('./index.ts')> {
  for (const name of await readdir(new URL('./nodes/', import.meta.url))) {
    await import(`./nodes/${name}/${name}.ts`);
    await setImmediate();
  }
  return import('./index.ts');
}
