import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a package. `manifest` is merged into its `package.json`, over `name`, `version`, and
 * `type: module`.
 */
export async function writePackage(
  folder: string,
  name: string,
  { manifest = {}, files = {} }: { manifest?: object; files?: Record<string, string> },
): Promise<string> {
  const root = join(folder, name);
  const packageJson = JSON.stringify({ name, version: '1.2.3', type: 'module', ...manifest });
  for (const [file, text] of Object.entries({ 'package.json': packageJson, ...files })) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return root;
}

/** Source of a node type that converts a parameter to upper case. */
export function shoutSource(changes = ''): string {
  return `export default {
    description: {
      displayName: 'Shout', name: 'shout', group: ['transform'], version: 1, description: 'Writes text in capitals',
      defaults: { name: 'Shout' }, inputs: ['main'], outputs: ['main'],
      properties: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
      ${changes}
    },
    execute: (context) => [context.items().map((_, index) => ({ json: { text: context.parameter('text', index, '').toUpperCase() } }))],
  };`;
}
