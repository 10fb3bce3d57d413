/** Writes `docs/nodes/` from the descriptions of the node types and their examples, and `docs/credential-types.md`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { credentialPage } from './credential-docs.ts';
import { nodeIndex, nodePage } from './node-docs.ts';
import { builtInNodeTypes, exampleOf } from './node-examples.ts';

const folder = new URL('../docs/nodes/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) rmSync(new URL(file, folder));
for (const type of builtInNodeTypes) {
  writeFileSync(new URL(`${type.description.name}.md`, folder), nodePage(type, await exampleOf(type)));
}
writeFileSync(new URL('README.md', folder), nodeIndex(builtInNodeTypes));
writeFileSync(new URL('../docs/credential-types.md', import.meta.url), credentialPage(baseCredentialTypes));
