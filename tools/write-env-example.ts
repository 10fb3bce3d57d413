/** Writes `.env.example` from the table of settings. */
import { writeFileSync } from 'node:fs';
import { renderEnvExample } from '@sluice/config';

writeFileSync(new URL('../.env.example', import.meta.url), renderEnvExample());
