/** Writes the page that lists the functions that community packages can use. */
import { writeFileSync } from 'node:fs';
import { renderCommunityFunctions } from '../packages/n8n-compat/src/testing/community-functions.ts';

writeFileSync(new URL('../docs/community-functions.md', import.meta.url), renderCommunityFunctions());
