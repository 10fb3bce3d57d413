/**
 * Writes `docs/nodes/` and `docs/ai-nodes/` from the descriptions of the node types and their
 * examples, `docs/credential-types.md`, and the examples in the dashboard.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { credentialPage } from './credential-docs.ts';
import { aiNodeIndex, aiNodePage, nodeIndex, nodePage } from './node-docs.ts';
import { aiExampleOf, aiNodeTypes, apiPageOf, builtInNodeTypes, exampleOf, shownExamples } from './node-examples.ts';

/** Replaces the files of a folder. */
function writeFolder(name: string, files: ReadonlyMap<string, string>): void {
  const folder = new URL(`../docs/${name}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) rmSync(new URL(file, folder));
  for (const [file, text] of files) writeFileSync(new URL(file, folder), text);
}

const pages = new Map<string, string>([['README.md', nodeIndex(builtInNodeTypes)]]);
for (const type of builtInNodeTypes)
  pages.set(`${type.description.name}.md`, nodePage(type, await exampleOf(type), apiPageOf(type)));
writeFolder('nodes', pages);

const aiPages = new Map<string, string>([['README.md', aiNodeIndex(aiNodeTypes)]]);
for (const type of aiNodeTypes) aiPages.set(`${type.description.name}.md`, aiNodePage(type, await aiExampleOf(type)));
writeFolder('ai-nodes', aiPages);
writeFileSync(new URL('../docs/credential-types.md', import.meta.url), credentialPage(baseCredentialTypes));

const path = new URL('../apps/dashboard/src/pages/node-types/generated/examples.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(await shownExamples())}\n`);
