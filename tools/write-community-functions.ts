/** Writes the page that lists the functions that community packages can use. */
import { writeFileSync } from 'node:fs';
import { renderCommunityFunctions } from '@sluice/n8n-compat';

writeFileSync(new URL('../docs/community-functions.md', import.meta.url), renderCommunityFunctions());
